import { momentForms } from '../../../logpush/index.ts'

/** The output of `sluice logs --help`. */
export const logsHelp = `sluice logs: Logpush jobs

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

Works beside a running Sluice, on its data directory or database (settings as for \`sluice serve\`).`
