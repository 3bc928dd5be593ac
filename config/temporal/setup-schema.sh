#!/bin/sh
# Makes Temporal's two databases in PostgreSQL and brings their schemas up to this version of the server. Run again: nothing changes.
# Reads SQL_HOST, SQL_PORT, SQL_USER, SQL_PASSWORD, SQL_PLUGIN as temporal-sql-tool does.
set -eu
schema=${SCHEMA_FOLDER:-/etc/temporal/schema/postgresql/v12}

for part in temporal visibility; do
  if [ "$part" = temporal ]; then database=temporal; else database=temporal_visibility; fi
  temporal-sql-tool --db "$database" create
  temporal-sql-tool --db "$database" setup-schema -v 0.0
  temporal-sql-tool --db "$database" update-schema -d "$schema/$part/versioned"
done
