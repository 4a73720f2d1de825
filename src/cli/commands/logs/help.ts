import { momentForms } from '../../../logpush/index.ts'

/** The output of `sluice logs --help`. */
export const logsHelp = `sluice logs: Logpush jobs, and search in the retained records

  sluice logs jobs
      One line per job: id, zone or account, dataset, destination without its secrets, state and delay.

  sluice logs replay --zone NAME|--account ID --job N --start T --end T [--wait]
      Makes a job deliver once more the records received from the start on and before the end, beside new records.
      A running Sluice delivers them, including one that is started later. Records that are no longer retained
      (SLUICE_SPOOL_AGE, SLUICE_SPOOL_BYTES) cannot be delivered.

      --zone NAME, --account ID   the owner of the job, as a check of the job's id
      --job N                     the id of the job
      --start T, --end T          ${momentForms}
      --wait                      show the progress until the replay ends: exit status 0 if everything was delivered,
                                  1 if it failed. Ctrl-C ends the waiting and not the replay.

  sluice logs search --zone NAME [--filter JSON] [--expression TEXT] [--fields NAMES] [--since T] [--until T]
      [--limit N]
      Prints the records of a zone that pass, newest first, one JSON object per line.

      --filter JSON         as in Logpush jobs: '{"where":{"key":"EdgeResponseStatus","operator":"geq","value":500}}'
      --expression TEXT     of the rules language: 'http.request.uri.path contains "/login" and ip.src in {10.0.0.0/8}'
      --fields NAMES        separated by commas; without it the default fields of Logpush
      --since T, --until T  ${momentForms}; without them the last 24 hours
      --dataset NAME        http_requests (default) or firewall_events
      --order asc           oldest first
      --limit N             number of records; default 100

\`jobs\` and \`replay\` work beside a running Sluice, on its data directory or database (settings as for
\`sluice serve\`). \`search\` asks the API of a running Sluice: the one that the settings describe, or the one at
CLOUDFLARE_BASE_URL with CLOUDFLARE_API_TOKEN.`
