"""Proofs that there is no tour: reasons, certificates, and the checker of certificates."""
