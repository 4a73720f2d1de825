# Names for the examples of docs/. Read this into your shell in the directory where Sluice was started:
#   . examples/api.sh

API=http://127.0.0.1:8787/client/v4
EDGE=http://127.0.0.1:8080
TOKEN=$(cat data/admin-token)

# One call of the API with the administrator's token; curl understands the words.
call() { curl -s -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; echo; }

# The id of the first result of a call.
id() { sed -E 's/.*"result":(\[)?\{"id":"?([0-9a-f]+).*/\2/'; }

# The time so many minutes ago.
ago() { node -p "new Date(Date.now() - $1 * 60000).toISOString()"; }

ACCOUNT=$(call $API/accounts | id)
ZONE=$(call "$API/zones?name=localhost" | id)
PHASES=$API/zones/$ZONE/rulesets/phases
LOGPUSH=$API/zones/$ZONE/logpush
