import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../folders.ts'

/**
 * Options of apt-get for the packages of one suite of Debian, from the mirror of this machine. None of them counts as
 * installed.
 * @param directory for its lists and archives
 * @throws Error when apt knows no mirror
 */
export async function suiteOptions(suite: string, directory: string): Promise<readonly string[]> {
  for (const folder of ['lists/partial', 'archives/partial']) await makeFolder(join(directory, folder))
  const sources = join(directory, 'sources.list')
  await writeFile(sources, `deb ${debianMirror()} ${suite} main\n`)
  await writeFile(join(directory, 'status'), '')
  const settings = {
    'Dir::Etc::SourceList': sources,
    'Dir::Etc::SourceParts': '-',
    'Dir::State::Lists': join(directory, 'lists'),
    'Dir::State::Status': join(directory, 'status'),
    'Dir::Cache': directory,
  }
  return Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
}

function debianMirror(): string {
  const format = ['--format', '$(SITE)', 'Origin: Debian', 'Label: Debian']
  const { stdout, error } = spawnSync('apt-get', ['indextargets', ...format], { encoding: 'utf8' })
  const mirror = stdout?.split('\n')[0]
  if (!mirror) throw new Error('apt knows no mirror of Debian; run apt-get update', { cause: error })
  return mirror
}
