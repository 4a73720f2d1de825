import { momentForms } from '../logpush/index.ts'

/** What `sluice logs --help` prints. */
export const logsHelp = `sluice logs: log push jobs

  sluice logs jobs
      A line a job: id, zone or account, dataset, destination without its secrets, and how far behind it is.

  sluice logs replay --zone NAME|--account ID --job N --start T --end T [--wait]
      Lets a job deliver once more what was received from the start on and before the end, beside its own delivery.
      The running Sluice does it, also one that is started later. What is not kept any more cannot be delivered
      (SLUICE_SPOOL_AGE, SLUICE_SPOOL_BYTES).

      --zone NAME, --account ID   whose job it is; a job's id alone would name it, but not guard against a slip
      --job N                     its id
      --start T, --end T          ${momentForms}
      --wait                      show how it comes on and end with it: exit status 0 when everything is delivered,
                                  1 when it failed. Ctrl-C ends the waiting and not the replay.

Works beside a running Sluice, on its data directory or database (settings as for \`sluice serve\`).`
