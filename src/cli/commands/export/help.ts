/** The output of `sluice export --help`. */
export const exportHelp = `sluice export: the account as configuration of another tool

  sluice export terraform --output DIR [--account ID]
      Writes the account and its zones as a configuration for Cloudflare's Terraform provider, version 5, into a new
      folder. \`imports.tf\` has an import block for each resource: \`terraform plan\` shows imports and no changes, and
      after \`terraform apply\`, the file can be removed.

      --output DIR      the folder; it must be absent or empty
      --account ID      the account, if the token reaches several

      CLOUDFLARE_BASE_URL and CLOUDFLARE_API_TOKEN name the API and the token, as for the provider. Without them, the
      command asks the Sluice of this machine with the administrator's token (settings as for \`sluice serve\`).

      Secrets stay behind. The destination of a job with credentials, the headers of a monitor except Host, and URLs of
      webhooks become variables without values. Certificates and what the provider cannot express, such as a zone's
      origin, are comments. Only the user who runs the command may read the files.

Example:
  sluice export terraform --output infrastructure`
