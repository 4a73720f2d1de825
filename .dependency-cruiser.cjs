/** The directions of docs/architecture.md: a room may import rooms on lower lines only; circles are found by Biome's noImportCycles. */
const levels = [
  ['kit'],
  ['model', 'seclang', 'regex'],
  ['waf', 'expressions', 'logfilter'],
  ['rulesets'],
  ['bus'],
  ['store'],
  ['logpush', 'crs', 'analytics'],
  ['api', 'edge'],
  ['app'],
  ['cli'],
]

const upward = levels.flatMap((rooms, level) =>
  rooms.map(room => {
    const forbidden = [...levels.slice(level + 1).flat(), ...rooms.filter(other => other !== room)]
    return {
      name: `${room}-looks-down-only`,
      severity: 'error',
      comment: `${room} may import rooms below it and nothing else`,
      from: { path: `^src/${room}/` },
      to: { path: `^src/(${forbidden.join('|')})/` },
    }
  }),
)

module.exports = {
  forbidden: [
    ...upward.filter(rule => !rule.to.path.includes('()')),
    {
      name: 'store-and-bus-know-only-the-model',
      severity: 'error',
      from: { path: '^src/(store|bus)/', pathNot: '\\.test' },
      to: { path: '^src/(rulesets|waf|expressions|logfilter|seclang|regex)/' },
    },
    {
      name: 'library-rooms-do-no-io',
      severity: 'error',
      comment: 'seclang, regex, waf, expressions and logfilter run in a browser too',
      from: { path: '^src/(seclang|regex|waf|expressions|logfilter)/', pathNot: '\\.test|test-support' },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test|test-support' },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types/' },
    },
    {
      name: 'only-one-door',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '\\.test' },
      to: {
        path: '^src/(store|bus|logpush|crs|analytics|edge|api|app)/(?!index|port|types)',
        pathNot: '^src/$1/',
      },
    },
    { name: 'unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
    doNotFollow: { path: 'node_modules' },
  },
}
