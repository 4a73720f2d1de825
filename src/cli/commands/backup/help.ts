/** The output of `sluice backup --help`. */
export const backupHelp = `sluice backup: copies the state of the installation

  sluice backup DIR [--with-key]
      Writes the whole database into a new folder, as it is at one moment, from SQLite or PostgreSQL. Sluice may run.
      backup.json has the checksums. Everything that has no other copy is in the database: the configuration, users,
      tokens, certificates, CRS releases, the audit trail, and the positions of Logpush jobs.

      The database holds secrets encrypted with SLUICE_SECRET_KEY or the file secret-key. Keep that key separately, or
      add it to the backup:

      --with-key        write the key into the backup, as secret-key

      Log records and analytics are not in a backup. \`sluice restore --help\` says what this means for Logpush.

Settings as for \`sluice serve\`: --data, --database-url, --secret-key.

Example:
  sluice backup /var/backups/sluice/monday --with-key`

/** The output of `sluice restore --help`. */
export const restoreHelp = `sluice restore: puts a backup into an empty installation

  sluice restore DIR
      Checks the checksums of the backup and copies it into an empty data directory, or into an empty PostgreSQL database.
      The data directory may hold the file secret-key. A backup of an earlier version is migrated; one of a newer version
      is refused. The backup stays as it is, and an error leaves the installation empty.

      The key comes from SLUICE_SECRET_KEY, else from the file secret-key of the data directory, else from the backup.

      Logpush goes on from the positions of the backup. With a new record log, no line is delivered twice; records that
      the lost log still held are lost. A log that outlived the database (NATS, or the spool of another machine) delivers
      again what it delivered after the backup. Tokens and users that were removed after it work again: remove them.

Settings as for \`sluice serve\`: --data, --database-url, --secret-key.

Example:
  sluice restore /var/backups/sluice/monday --data ./restored`
