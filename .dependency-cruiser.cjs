// The layers of the project. A folder may import itself and the folders above it in its list, never one below.
const engineRooms = [
  'kube',
  'time',
  'observe',
  'certificate',
  'transport',
  'grpc',
  'watch',
  'store',
  'client',
  'queue',
  'leader',
  'cluster',
  'controller',
  'health',
  'webhook',
  'manager',
  'inspector',
]
const vclusterRooms = ['context', 'naming', 'ownership', 'syncer', 'hook', 'remote', 'plugin']

// The entry points without a vcluster, and what each is built on besides the engine.
const programs = { operator: [], helm: ['operator'], modules: ['operator', 'helm'], cnpg: [] }

// The rooms of the embedded API server, by the same rule. The file at the top of apiserver/ puts them together.
const apiRooms = [
  'base',
  'schema',
  'validation',
  'request',
  'store',
  'resources',
  'custom',
  'kinds',
  'fields',
  'patch',
  'access',
  'server',
  'output',
  'discovery',
  'plugins',
  'admission',
  'conversion',
  'verbs',
  'handler',
  'controllers',
  'faults',
  'listeners',
]

const isTest = '\\.(test|fixture)\\.ts$'

/** One rule for each folder of an ordered list: it imports earlier folders only. */
function oneWay(parent, list, last) {
  const folders = list.map((folder) => `${folder}/`)
  const all = last === undefined ? folders : [...folders, last]
  return list.slice(0, all.length - 1).map((folder, at) => ({
    name: `${parent.replaceAll('/', '-')}-${folder}-imports-earlier-folders-only`,
    comment: 'Imports point one way; see ARCHITECTURE.md.',
    severity: 'error',
    from: { path: `^${parent}/${folder}/`, pathNot: isTest },
    to: { path: `^${parent}/(${all.slice(at + 1).join('|')})` },
  }))
}

/** Every folder below a parent is in its list. */
function onlyKnown(parent, list) {
  return {
    name: `${parent.replaceAll('/', '-')}-has-known-folders-only`,
    comment: 'A new folder takes its place in the list.',
    severity: 'error',
    from: {},
    to: { path: `^${parent}/[^/]+/`, pathNot: `^${parent}/(${list.join('|')})/` },
  }
}

// The folders of the rooms and entry points that have inner folders, in their order.
const operatorRooms = [
  'kind',
  'owner',
  'apply',
  'prune',
  'finalizer',
  'status',
  'effect',
  'controller',
  'run',
  'engine',
  'webhook',
  'describe',
]
const cnpgRooms = [
  'proto',
  'cluster',
  'parameters',
  'calls',
  'context',
  'hooks',
  'patch',
  'pod',
  'services',
  'server',
  'inspection',
  'webhook',
]
const syncerRooms = ['references', 'fields', 'contest', 'both', 'translator', 'reconcile']

const innerRules = [
  ...oneWay('sdk/operator', operatorRooms),
  ...oneWay('sdk/cnpg', cnpgRooms),
  ...oneWay('sdk/vcluster/syncer', syncerRooms),
  onlyKnown('sdk/operator', operatorRooms),
  onlyKnown('sdk/cnpg', cnpgRooms),
  onlyKnown('sdk/vcluster/syncer', syncerRooms),
]

const wingRules = [
  {
    name: 'the-engine-imports-nothing-but-itself',
    comment: 'It knows no vcluster, and none of the entry points; neither do its tests.',
    severity: 'error',
    from: { path: '^sdk/engine/' },
    to: { path: '^sdk/(?!engine/)' },
  },
  {
    name: 'the-rooms-of-vclusters-import-the-engine-and-themselves',
    severity: 'error',
    from: { path: '^sdk/vcluster/', pathNot: isTest },
    to: { path: '^sdk/(?!engine/|vcluster/)' },
  },
  ...Object.entries(programs).map(([program, others]) => ({
    name: `${program}-imports-${['the-engine', ...others].join('-and-')}`,
    comment: 'It knows no vcluster.',
    severity: 'error',
    from: { path: `^sdk/${program}/`, pathNot: isTest },
    to: { path: `^sdk/(?!(${['engine', program, ...others].join('|')})/)` },
  })),
  ...oneWay('sdk/engine', engineRooms),
  ...oneWay('sdk/vcluster', vclusterRooms),
  onlyKnown('sdk', ['engine', 'vcluster', ...Object.keys(programs)]),
  onlyKnown('sdk/engine', engineRooms),
  onlyKnown('sdk/vcluster', vclusterRooms),
]

const apiRoomRules = [
  ...apiRooms.slice(0, -1).map((room, at) => ({
    name: `apiserver-${room}-imports-earlier-rooms-only`,
    comment: 'Imports point one way; see "The embedded API server" in ARCHITECTURE.md.',
    severity: 'error',
    from: { path: `^apiserver/${room}/`, pathNot: isTest },
    to: { path: `^apiserver/(${apiRooms.slice(at + 1).join('|')})/` },
  })),
  {
    name: 'no-room-of-apiserver-imports-the-files-at-its-top',
    severity: 'error',
    from: { path: '^apiserver/[^/]+/', pathNot: isTest },
    to: { path: '^apiserver/[^/]+$' },
  },
  {
    name: 'every-room-of-apiserver-has-a-place-in-the-order',
    severity: 'error',
    from: { path: '^apiserver/' },
    to: { path: '^apiserver/[^/]+/', pathNot: `^apiserver/(${apiRooms.join('|')})/` },
  },
]

// The rooms of the test kit, by the same rule. Its index.ts lists the public names.
const kitRooms = [
  'clock',
  'requests',
  'compare',
  'plugin',
  'operator',
  'cnpg',
  'environment',
  'faults',
  'recorder',
  'scenario',
  'verify',
  'explore',
]

const kitRoomRules = [
  ...kitRooms.slice(0, -1).map((room, at) => ({
    name: `testing-${room}-imports-earlier-rooms-only`,
    comment: 'Imports point one way; see "The test kit" in ARCHITECTURE.md.',
    severity: 'error',
    from: { path: `^testing/${room}/`, pathNot: isTest },
    to: { path: `^testing/(${kitRooms.slice(at + 1).join('|')})/` },
  })),
  {
    name: 'every-room-of-testing-has-a-place-in-the-order',
    severity: 'error',
    from: { path: '^testing/' },
    to: { path: '^testing/[^/]+/', pathNot: `^testing/(${kitRooms.join('|')})/` },
  },
]

// The folders of sdk/helm/, by the same rule.
const helmRooms = [
  'chart',
  'values',
  'annotations',
  'render',
  'lookup',
  'permissions',
  'policy',
  'release',
  'target',
  'watches',
  'reconciler',
  'operations',
]

const helmRules = [
  ...helmRooms.slice(0, -1).map((room, at) => ({
    name: `helm-${room}-imports-earlier-folders-only`,
    comment: 'Imports point one way; see "Helm releases" in ARCHITECTURE.md.',
    severity: 'error',
    from: { path: `^sdk/helm/${room}/`, pathNot: isTest },
    to: { path: `^sdk/helm/(${helmRooms.slice(at + 1).join('|')})/` },
  })),
  {
    name: 'every-folder-of-helm-has-a-place-in-the-order',
    severity: 'error',
    from: { path: '^sdk/helm/' },
    to: { path: '^sdk/helm/[^/]+/', pathNot: `^sdk/helm/(${helmRooms.join('|')})/` },
  },
]

// The folders of sdk/helm/reconciler/, in the order of a run, by the same rule. Its steps are the files at its top.
const reconcilerRooms = ['problem', 'objects', 'options', 'run', 'status', 'goal', 'operation', 'following']

// The folders of sdk/modules/, by the same rule.
const modulesRooms = [
  'schedule',
  'metadata',
  'template',
  'program',
  'git',
  'oci',
  'config',
  'sleep',
  'manager',
  'process',
  'kinds',
  'helm',
  'container',
  'managed',
  'copier',
  'module',
  'workspace',
]

const modulesRules = [
  ...modulesRooms.slice(0, -1).map((room, at) => ({
    name: `modules-${room}-imports-earlier-folders-only`,
    comment: 'Imports point one way; see "Modules" in ARCHITECTURE.md.',
    severity: 'error',
    from: { path: `^sdk/modules/${room}/`, pathNot: isTest },
    to: { path: `^sdk/modules/(${modulesRooms.slice(at + 1).join('|')})/` },
  })),
  {
    name: 'every-folder-of-modules-has-a-place-in-the-order',
    severity: 'error',
    from: { path: '^sdk/modules/' },
    to: { path: '^sdk/modules/[^/]+/', pathNot: `^sdk/modules/(${modulesRooms.join('|')})/` },
  },
]

// The folders of sdk/modules/module/, by the same rule.
const moduleRooms = ['definition', 'programs', 'installation', 'record', 'connection', 'call', 'operation']

// The permitted imports of each folder next to sdk/; all may import themselves.
const folders = {
  sdk: [],
  apiserver: ['sdk/engine/kube'],
  simulator: ['sdk', 'apiserver'],
  testing: ['sdk', 'apiserver', 'simulator'],
  cli: ['sdk', 'apiserver', 'simulator', 'testing'],
}

const folderRules = Object.entries(folders).map(([folder, imports]) => ({
  name: `${folder}-imports-only-${['itself', ...imports].map((one) => one.replace('/', '-')).join('-and-')}`,
  severity: 'error',
  from: { path: `^${folder}/`, pathNot: isTest },
  to: {
    path: '^(sdk|apiserver|simulator|testing|cli|examples|test|bench|scripts)/',
    pathNot: `^(${[folder, ...imports].join('|')})/`,
  },
}))

// The folders of the command: first those that several commands use, in their order, then one for each command.
const sharedByCommands = [
  'terminal',
  'machine',
  'program',
  'esbuild',
  'program-files',
  'inspector',
  'roles',
  'helm',
  'clusters',
  'definitions',
  'samples',
  'copies',
]
const commands = [
  'bench',
  'bundle',
  'crd',
  'create',
  'dev',
  'doctor',
  'manifest',
  'module',
  'rbac',
  'runtime',
  'test',
  'why',
]
const partsOfCreate = ['schema', 'sample', 'edits', 'kind', 'chart', 'templates', 'programs']

const commandLine = `(${commands.join('|')}|commands)/|main\\.ts$`

const reconcilerRules = oneWay('sdk/helm/reconciler', reconcilerRooms, '[^/]+\\.ts$')
const moduleRules = oneWay('sdk/modules/module', moduleRooms, '[^/]+\\.ts$')

const cliRules = [
  ...oneWay('cli', sharedByCommands, commandLine),
  ...oneWay('cli/create', partsOfCreate, '[^/]+\\.ts$'),
  {
    name: 'cli-commands-do-not-import-each-other',
    severity: 'error',
    from: { path: `^cli/(${commands.join('|')})/`, pathNot: isTest },
    to: { path: `^cli/(${commandLine})`, pathNot: '^cli/$1/' },
  },
  {
    name: 'cli-modes-of-dev-import-nothing-of-dev',
    severity: 'error',
    from: { path: '^cli/dev/modes/', pathNot: isTest },
    to: { path: '^cli/dev/[^/]+\\.ts$' },
  },
  {
    name: 'cli-has-known-folders-only',
    comment: 'A new folder takes its place in one of the lists.',
    severity: 'error',
    from: {},
    to: {
      path: '^cli/',
      pathNot: `^cli/(${[...sharedByCommands, ...commands, 'commands'].join('|')})/|^cli/main\\.ts$`,
    },
  },
]

const product = '^(sdk|apiserver|simulator|testing|cli)/'

module.exports = {
  forbidden: [
    ...wingRules,
    ...innerRules,
    ...apiRoomRules,
    ...kitRoomRules,
    ...helmRules,
    ...modulesRules,
    ...folderRules,
    ...cliRules,
    ...reconcilerRules,
    ...moduleRules,
    {
      name: 'no-room-imports-the-index',
      severity: 'error',
      from: { path: '^(sdk|apiserver|testing)/.+/', pathNot: isTest },
      to: { path: '^(sdk|testing)/index\\.ts$' },
    },
    {
      name: 'kube-imports-nothing',
      comment:
        'Besides yaml and leven (docs/adr/0082) it names the packages of lazy-packages.ts, which are loaded at their first use.',
      severity: 'error',
      from: { path: '^sdk/engine/kube/', pathNot: isTest },
      to: { path: '^(sdk/(?!engine/kube/)|node_modules/(?!yaml/|leven/|re2js/|@marcbachmann/cel-js/))' },
    },
    {
      name: 'examples-import-the-public-entry-points',
      comment: 'Examples see what users see: the index.ts of each entry point.',
      severity: 'error',
      from: { path: '^examples/' },
      to: {
        path: product,
        pathNot: '^(sdk|sdk/operator|sdk/helm|sdk/modules|sdk/cnpg|testing|testing/cnpg)/index\\.ts$',
      },
    },
    {
      name: 'the-simulator-translates-by-itself',
      comment:
        'A mistake in how the SDK names and labels copies must not be a mistake of the simulated vcluster.',
      severity: 'error',
      from: { path: '^simulator/' },
      to: { path: '^sdk/vcluster/(naming|ownership|syncer)/' },
    },
    {
      name: 'the-simulated-syncers-run-by-themselves',
      comment: 'They use the engine, and nothing of what a plugin is made of.',
      severity: 'error',
      from: { path: '^simulator/(syncers|go-json)/', pathNot: isTest },
      to: { path: '^sdk/(engine/(controller|manager|inspector)|vcluster/(context|hook|plugin))/' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-undeclared-packages',
      // A peer dependency is also reported as one without a package, because peerDependenciesMeta names it.
      severity: 'error',
      from: { path: product },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'the-product-needs-no-dev-package',
      severity: 'error',
      comment:
        "The inspector's page is bundled into a module, with the packages that it imports. client-node is an optional peer.",
      from: {
        path: product,
        pathNot: `${isTest}|^sdk/engine/inspector/page/|^sdk/engine/transport/client-node\\.ts$`,
      },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'generated-code-stays-in-remote-and-simulator',
      severity: 'error',
      from: { path: product, pathNot: '^(sdk/vcluster/remote|simulator)/' },
      to: { path: '^sdk/vcluster/remote/proto/gen/' },
    },
    {
      name: 'generated-code-of-cnpg-stays-there',
      severity: 'error',
      from: { path: product, pathNot: '^(sdk|testing)/cnpg/' },
      to: { path: '^sdk/cnpg/proto/gen/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['vcluster-plugin-sdk:source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json'],
    },
  },
}
