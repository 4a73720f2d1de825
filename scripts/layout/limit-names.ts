/** The names of limits in this repository. */
const name = String.raw`\w*(?:Max|Min|_MAX|_MIN)|(?:max|min)[A-Z]\w*`
/** A constant of a file whose value begins with a number. */
const declaration = new RegExp(String.raw`^(?:export )?const (${name})\b(?:: number)? = [-(]*\d`, 'gm')

const product = /^src\/.*\.ts$/
/** Tests and their helpers choose their numbers themselves. */
const exempt = /\.test\.ts$|\/testing\/|\/limits\.ts$/

/**
 * Limits that are declared outside a `limits.ts`: the limits of `docs/reference/settings.md` would lack them.
 * @param files paths from the root of the repository
 * @param read gives the content of one of them
 * @returns one line each, with the remedy
 */
export function strayLimits(files: readonly string[], read: (file: string) => string): readonly string[] {
  return files
    .filter(file => product.test(file) && !exempt.test(file))
    .flatMap(file =>
      [...read(file).matchAll(declaration)].map(
        ([, found]) =>
          `${file}: ${found} is named like a limit. Declare it in the limits.ts of its module (CONTRIBUTING.md, "Add a limit"), or give a number that limits no input another name.`,
      ),
    )
}
