#!/bin/sh
# Makes the namespace and the search attributes of filinglake once Temporal answers. Run again: nothing changes.
# Reads TEMPORAL_ADDRESS and TEMPORAL_NAMESPACE as the temporal command does.
set -eu

tries=60
until temporal operator cluster health >/dev/null 2>&1; do
  tries=$((tries - 1))
  if [ "$tries" -eq 0 ]; then
    echo "Temporal at $TEMPORAL_ADDRESS did not answer within two minutes" >&2
    exit 1
  fi
  sleep 2
done

# 90 days: Temporal's default forgets a finished export's history after three.
temporal operator namespace describe --namespace "$TEMPORAL_NAMESPACE" >/dev/null 2>&1 ||
  temporal operator namespace create --namespace "$TEMPORAL_NAMESPACE" --retention 2160h

# A new namespace is known to every part of the server after some seconds.
tries=30
until temporal operator search-attribute create --namespace "$TEMPORAL_NAMESPACE" \
  --name ExportName --type Keyword --name ExportState --type Keyword; do
  tries=$((tries - 1))
  if [ "$tries" -eq 0 ]; then
    echo "the search attributes could not be made in $TEMPORAL_NAMESPACE" >&2
    exit 1
  fi
  sleep 2
done
