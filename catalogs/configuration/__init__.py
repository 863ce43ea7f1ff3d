"""Configuration: a TOML file that says of catalogs, columns and keys what data cannot tell."""
