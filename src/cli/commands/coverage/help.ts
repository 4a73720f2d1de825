/** The output of `sluice coverage --help`. */
export const coverageHelp = `sluice coverage: the items of a configuration that are enforced, partly enforced or not enforced

  sluice coverage [--json]
      Every item that this installation stores.

  sluice coverage FILE [--json]
      The resources of a Terraform plan or state, before you migrate. Needs no server and no database.

Make FILE with: terraform plan -out plan && terraform show -json plan > plan.json

The exit code is 0 if everything is enforced, 3 if something is enforced in part, not enforced or unknown,
1 if the file or the database cannot be read, and 2 for a wrong command line.`
