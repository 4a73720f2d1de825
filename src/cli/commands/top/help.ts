/** The output of `sluice top --help`. */
export const topHelp = `sluice top: requests, actions, latency and jobs of a running Sluice, live in a terminal

  sluice top [--once]
      Reads the metrics of the API every two seconds and shows figures of that time: requests a second, actions, classes
      of the status, latency, threads, Logpush jobs with their lag, and the busiest zones.

      ← → or s          sort jobs and zones by another column
      q                 quit

      --once            print the figures of one second as plain text, and end; the default when the output is no terminal

      CLOUDFLARE_BASE_URL and CLOUDFLARE_API_TOKEN name the API and the token, which needs Account Settings Read. Without
      them, the command asks the Sluice of this machine with the administrator's token (settings as for \`sluice serve\`).
      The figures are those of the processes on the machine that answers.

Example:
  sluice top --once`
