import { accept } from '../../problems.ts'
import { badDestination } from '../destination-text.ts'
import { SinkError, type SinkKind } from '../sink.ts'

/**
 * `stdout:` or `stdout://`: the standard output of the delivering process, for containers whose output is collected.
 */
export const stdoutSink: SinkKind = {
  scheme: 'stdout',
  parse(destinationConf) {
    if (!/^stdout:(?:\/\/)?$/.test(destinationConf)) return badDestination('it must have the form stdout://')
    return accept({
      needsOwnership: false,
      folder: '',
      objects: false,
      masked: destinationConf,
      manifest: false,
      open: async ({ reach }) => {
        if (reach === 'public')
          throw new SinkError(
            'address-refused',
            'never',
            'SLUICE_DESTINATIONS=public does not allow the output of this machine',
          )
        const { openStdout } = await import('./deliver.ts')
        return openStdout(process.stdout)
      },
    })
  },
}
