const { Compiler } = require('@swc/core')

/** The directions of docs/internals/architecture.md: a module may import modules on lower lines only, without cycles. */
const levels = [
  ['kit'],
  ['model', 'seclang', 'regex'],
  ['detect'],
  ['waf', 'expressions', 'logfilter'],
  ['rulesets'],
  ['bus', 'outgoing'],
  ['store'],
  ['logpush', 'crs', 'analytics', 'acme', 'health', 'coverage'],
  ['alerts'],
  ['api', 'edge'],
  ['agents'],
  ['app'],
  ['cli'],
]

const upward = levels.flatMap((modules, level) =>
  modules.map(module => {
    const forbidden = [...levels.slice(level + 1).flat(), ...modules.filter(other => other !== module)]
    return {
      name: `${module}-looks-down-only`,
      severity: 'error',
      comment: `${module} may import modules below it and nothing else`,
      from: { path: `^src/${module}/` },
      to: { path: `^src/(${forbidden.join('|')})/` },
    }
  }),
)

/**
 * The folders of src/edge, from the bottom up: each may import those on earlier lines. `edge.ts` starts them. With
 * `edge.ts` and `index.ts`, the edge has eight layers, and no more.
 */
const edgeLevels = [
  ['message', 'tls', 'challenge', 'geo', 'measures'],
  ['exchange'],
  ['phases', 'records', 'servers'],
  ['inspect', 'checks', 'respond', 'origin', 'background'],
  ['pipeline'],
  ['connection', 'trace', 'proxied'],
]

const edge = edgeLevels.flatMap((folders, level) =>
  folders.map(folder => {
    const forbidden = [...edgeLevels.slice(level + 1).flat(), ...folders.filter(other => other !== folder)]
    return {
      name: `edge-${folder}-looks-down-only`,
      severity: 'error',
      comment: `src/edge/${folder} may import folders below it and nothing else of the edge`,
      from: { path: `^src/edge/${folder}/`, pathNot: '\\.test\\.' },
      to: { path: `^src/edge/((${forbidden.join('|')})/|edge\\.ts|index\\.ts)` },
    }
  }),
)

/** The folders of dashboard/src, from the bottom up: each may import those before it. `main.tsx` starts the top one. */
const dashboardLevels = ['api', 'ui', 'domain', 'features', 'app']

const dashboard = [
  ...dashboardLevels.slice(0, -1).map((folder, level) => ({
    name: `dashboard-${folder}-looks-down-only`,
    severity: 'error',
    comment: `dashboard/src/${folder} may import folders below it and nothing else of the dashboard`,
    from: { path: `^dashboard/src/${folder}/` },
    to: { path: `^dashboard/src/(${dashboardLevels.slice(level + 1).join('|')}|main\\.tsx)` },
  })),
  {
    name: 'dashboard-features-do-not-import-each-other',
    severity: 'error',
    comment: 'shared code of features is in domain/, or in ui/ if it does not know the product',
    from: { path: '^dashboard/src/features/([^/]+)/' },
    to: { path: '^dashboard/src/features/', pathNot: '^dashboard/src/features/$1/' },
  },
  {
    name: 'dashboard-screens-do-not-import-each-other',
    severity: 'error',
    comment: 'a file named like a screen is one of app/pages.ts; parts that screens share have other names',
    from: { path: '^dashboard/src/features/.*-page\\.tsx$' },
    to: { path: '^dashboard/src/features/.*-page\\.tsx$' },
  },
  {
    name: 'dashboard-knows-no-server',
    severity: 'error',
    comment: 'of src, the dashboard imports data and libraries that run in a browser',
    from: { path: '^dashboard/src/', pathNot: '\\.test\\.' },
    to: { path: '^src/(store|bus|outgoing|logpush|crs|analytics|acme|alerts|edge|agents|api|app|cli)/' },
  },
]

// dependency-cruiser reads TypeScript with swc and does not tell it which files hold JSX.
const { parseFileSync } = Compiler.prototype
Compiler.prototype.parseFileSync = function (path, options) {
  return parseFileSync.call(this, path, { ...options, tsx: path.endsWith('.tsx') })
}

module.exports = {
  forbidden: [
    ...upward.filter(rule => !rule.to.path.includes('()')),
    ...edge,
    ...dashboard,
    {
      name: 'edge-background-is-behind-its-port',
      severity: 'error',
      comment:
        'the request path knows exchange/background-port.ts only; edge.ts and traces construct the work',
      from: { path: '^src/edge/', pathNot: '^src/edge/(background/|trace/|edge\\.ts)' },
      to: { path: '^src/edge/background/' },
    },
    {
      name: 'edge-rules-cannot-reach-the-response',
      severity: 'error',
      comment: 'rules take RequestParts, an exchange without its Answer',
      from: { path: '^src/edge/(phases|checks|inspect)/', pathNot: '\\.test\\.' },
      to: { path: '^src/edge/exchange/answer\\.ts$' },
    },
    {
      name: 'store-and-bus-know-only-the-model',
      severity: 'error',
      from: { path: '^src/(store|bus)/', pathNot: '\\.test' },
      to: { path: '^src/(rulesets|waf|detect|expressions|logfilter|seclang|regex)/' },
    },
    {
      name: 'library-modules-do-no-io',
      severity: 'error',
      comment: 'seclang, regex, detect, waf, expressions and logfilter run in a browser too',
      from: {
        path: '^src/(seclang|regex|detect|waf|expressions|logfilter)/',
        pathNot: '\\.test\\.|/testing/',
      },
      to: { dependencyTypes: ['core', 'npm', 'npm-dev'] },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.|/testing/' },
      to: { dependencyTypes: ['npm-dev'], pathNot: '@types/' },
    },
    {
      name: 'product-imports-no-tests',
      severity: 'error',
      comment: 'helpers in testing/ folders are for tests, benches and scripts',
      from: { path: '^(src|dashboard/src)/', pathNot: '\\.test\\.|/testing/' },
      to: { path: '^(src|dashboard/src)/.*(\\.test\\.|/testing/)|^(test|bench|scripts|conformance)/' },
    },
    {
      name: 'only-the-entry-point',
      severity: 'error',
      from: { path: '^src/([^/]+)/', pathNot: '\\.test\\.|/testing/' },
      to: {
        path: '^src/(store|bus|outgoing|logpush|crs|analytics|acme|alerts|edge|agents|api|app)/(?!index|limits|port|types)',
        pathNot: '^src/$1/',
      },
    },
    {
      name: 'plans-have-one-entry-point',
      severity: 'error',
      comment: 'build-plan.ts builds a plan; the other named files are the parts of its result',
      from: { path: '^(src|dashboard/src)/', pathNot: '^src/rulesets/plan/|\\.test\\.' },
      to: { path: '^src/rulesets/plan/(?!(build-plan|plan|redaction|list-membership|redirect-table)\\.ts$)' },
    },
    {
      name: 'limits-are-declared-in-limits',
      severity: 'error',
      comment:
        'each module declares its limits in its own limits.ts, from which docs/reference/settings.md is made',
      from: { path: '^src/', pathNot: '/limits(\\.test)?\\.ts$' },
      to: { path: '^src/kit/limits\\.ts$' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'type imports count too: move the shared part to a file below both',
      from: {},
      to: { circular: true },
    },
    { name: 'unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
    doNotFollow: { path: 'node_modules' },
  },
}
