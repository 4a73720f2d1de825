/**
 * Modules without a README, and folders of a module that its README does not name.
 * @param files paths from the root of the repository
 * @param read gives the content of one of them
 * @returns one line each, with the remedy
 */
export function readmeProblems(files: readonly string[], read: (file: string) => string): readonly string[] {
  const folders = new Map<string, Set<string>>()
  for (const file of files) {
    const [, module, folder] = /^src\/([^/]+)\/(?:([^/]+)\/)?/.exec(file) ?? []
    if (module === undefined) continue
    if (!folders.has(module)) folders.set(module, new Set())
    if (folder !== undefined && folder !== 'testing') folders.get(module)!.add(folder)
  }
  return [...folders].flatMap(([module, inside]) => {
    const readme = `src/${module}/README.md`
    if (!files.includes(readme))
      return [`src/${module}: no README.md. It says the purpose, the folders, and where to add a thing.`]
    const text = read(readme)
    return [...inside]
      .filter(folder => !text.includes(`\`${folder}\``) && !text.includes(`\`${folder}/`))
      .map(folder => `${readme}: does not name the folder \`${folder}\`. Add what it contains.`)
  })
}
