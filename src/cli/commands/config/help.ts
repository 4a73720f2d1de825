/** The output of `sluice config --help`. */
export const configHelp = `sluice config: an account as files, for a repository

  sluice config export DIR [--account ID]
      Writes account.yaml and a file of zones/ for each zone. The same objects give the same text, so the history of a
      repository shows what has changed. Files of an earlier export are replaced.

  sluice config diff DIR [--account ID]
      Shows what \`apply\` would do. The exit code is 0 without differences, 1 with some, and 2 for an error.

  sluice config apply DIR [--account ID] [--yes]
      Creates, changes and deletes objects until the account matches the files. It shows the plan first and asks
      for confirmation; --yes confirms. When the API refuses an object, the changes before it are reverted. Deletions come
      last.

      A file decides about the kinds that it names: \`dns_records: []\` deletes all DNS records of the zone, and without
      \`dns_records\` they stay. A zone without a file stays. Files may be YAML or JSON.

      \${NAME} stands for a variable of the environment, for credentials. Where it is not set, the present value stays.
      \${load_balancer_pools:main} stands for the id of the pool \`main\`, which may differ between installations.
      $\${ stands for the characters \${.

      Certificates, API tokens and users are not part of the files, because the API does not show their secrets.

      --account ID      the account, if the token reaches several

      CLOUDFLARE_BASE_URL and CLOUDFLARE_API_TOKEN name the API and the token. Without them, the command asks the Sluice
      of this machine with the administrator's token (settings as for \`sluice serve\`). Roles, checks and the audit trail
      are those of the API. The destinations of jobs need a token that may edit logs.

Example:
  sluice config export configuration
  sluice config diff configuration`
