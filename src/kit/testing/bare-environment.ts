/** Environment for a command that a test starts: no settings of this machine, and the modules that are compiled already. */
export const bareEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env['PATH'],
  ...(process.env['NODE_COMPILE_CACHE'] !== undefined && {
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  }),
}
