// The floors of the house: a folder may import itself and any folder above it in this list, never one below.
const floors = [
  'kube',
  'observe',
  'transport',
  'watch',
  'store',
  'queue',
  'client',
  'hook',
  'context',
  'kinds',
  'syncer',
  'translator',
  'controller',
  'leader',
  'remote',
  'inspect',
  'plugin',
]

const belowOf = (floor) =>
  floors
    .slice(floors.indexOf(floor) + 1)
    .concat('apiserver', 'testing', 'cli')
    .join('|')

const oneWay = floors.map((floor) => ({
  name: `${floor}-imports-upwards-only`,
  comment: 'Imports point one way; see the picture in ARCHITECTURE.md.',
  severity: 'error',
  from: { path: `^sdk/${floor}/`, pathNot: '\\.(test|fixture)\\.ts$' },
  to: { path: `^sdk/((${belowOf(floor)})/|index\\.ts)` },
}))

module.exports = {
  forbidden: [
    ...oneWay,
    {
      name: 'kube-knows-nobody',
      severity: 'error',
      from: { path: '^sdk/kube/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: { path: '^(sdk/(?!kube/)|node_modules/(?!@kubernetes/client-node|yaml/))' },
    },
    {
      name: 'apiserver-imports-kube-alone',
      severity: 'error',
      from: { path: '^sdk/apiserver/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: { path: '^sdk/', pathNot: '^sdk/(apiserver|kube)/' },
    },
    {
      name: 'testing-and-cli-alone-use-the-apiserver',
      severity: 'error',
      from: { path: '^sdk/', pathNot: '^sdk/(apiserver|testing|cli)/|\\.(test|fixture)\\.ts$' },
      to: { path: '^sdk/apiserver/' },
    },
    {
      name: 'cli-alone-uses-testing',
      severity: 'error',
      from: { path: '^sdk/', pathNot: '^sdk/(testing|cli)/|\\.(test|fixture)\\.ts$' },
      to: { path: '^sdk/testing/' },
    },
    {
      name: 'nobody-imports-the-cli',
      severity: 'error',
      from: { path: '^sdk/', pathNot: '^sdk/cli/' },
      to: { path: '^sdk/cli/' },
    },
    {
      name: 'users-enter-by-the-front-doors',
      comment: 'Examples see what users see: sdk/index.ts and sdk/testing/index.ts.',
      severity: 'error',
      from: { path: '^examples/' },
      to: { path: '^sdk/', pathNot: '^sdk/(testing/)?index\\.ts$' },
    },
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-undeclared-packages',
      // Of a peer dependency it is said that no package names it, because peerDependenciesMeta does, too.
      severity: 'error',
      from: { path: '^sdk/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['npm-peer'] },
    },
    {
      name: 'the-product-needs-no-dev-package',
      severity: 'error',
      from: { path: '^sdk/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'generated-code-stays-in-remote',
      severity: 'error',
      from: { path: '^sdk/', pathNot: '^sdk/(remote|testing)/' },
      to: { path: '^sdk/remote/proto/gen/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['vcluster-plugin-sdk:source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
}
