import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module", globals: { ...globals.browser, ...globals.node } },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error", complexity: ["error", 15] },
  },
];
