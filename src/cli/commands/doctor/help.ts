/** The output of `sluice doctor --help`. */
export const doctorHelp = `sluice doctor: checks this machine and what Sluice depends on

  sluice doctor [--json]
      Checks the addresses, the disk, the limit of open files, the database, NATS, Redis, ClickHouse, the CRS release, the
      certificates, and the origins and log destinations of all zones. Each line is ok, a warning or a fault; the action to
      take is below it.
      It runs beside a running Sluice, and with Sluice stopped. The checks run side by side, for 12 seconds at most.

      It changes nothing, except that it writes a small test object to each destination of an enabled job, as the
      dashboard does, and removes it where the destination can.

      --json            the findings as JSON, for programs

      The exit code is 1 if there is a fault, else 0.

Settings as for \`sluice serve\`.

Example:
  sluice doctor --data ./data`
