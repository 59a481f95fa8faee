import type { PluginDesign } from '../kind/plugin-design.js'

/** package.json: the SDK, and the few packages that the scripts need. */
export function packageJson({ name, kind, packages }: PluginDesign): string {
  const isGenerated = kind.source.from === 'kubernetes'
  const tools = [
    '@types/node',
    'esbuild',
    'oxlint',
    'oxlint-tsgolint',
    'tsx',
    'typescript',
    ...(isGenerated ? ['@kubernetes/client-node'] : []),
  ]
  const versions = (names: readonly string[]) =>
    Object.fromEntries([...names].sort().map((name) => [name, packages[name] ?? '*']))
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '^20.19.0 || ^22.12.0 || >=23' },
    'vcluster-plugin': { main: 'src/main.ts' },
    scripts: {
      dev: 'vcluster-plugin dev .',
      test: 'vcluster-plugin test .',
      types: 'tsc -p .',
      lint: 'oxlint --type-aware src',
      plugin: 'exec node --import=tsx src/main.ts',
      bundle: 'vcluster-plugin bundle',
    },
    dependencies: versions(['vcluster-plugin-sdk']),
    devDependencies: versions(tools),
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/** tsconfig.json: strict, and without a build, because tsx runs the sources. */
export const tsconfig = `{
  "compilerOptions": {
    "target": "es2023",
    "lib": ["es2023"],
    "module": "nodenext",
    "types": ["node"],
    "noEmit": true,
    "strict": true,
    "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true,
    "noImplicitOverride": true,
    "verbatimModuleSyntax": true,
    "erasableSyntaxOnly": true,
    "skipLibCheck": true
  },
  "include": ["src"]
}
`

/**
 * .oxlintrc.json: rejects promises without `await`, because a write whose promise is dropped is not retried. Node's test runner
 * awaits the promises of its tests.
 */
export const lintRules = `{
  "plugins": ["typescript"],
  "categories": { "correctness": "error" },
  "rules": {
    "typescript/no-floating-promises": [
      "error",
      {
        "allowForKnownSafeCalls": [
          { "from": "package", "name": ["describe", "it", "suite", "test"], "package": "node:test" }
        ]
      }
    ],
    "typescript/no-misused-promises": "error"
  }
}
`

/** .gitignore; the image needs none of these files either. */
export const gitignore = `node_modules/
dist/
.vcluster-plugin/
.devspace/
*.log
`

/** .dockerignore: a local node_modules may contain binaries for another system. */
export const dockerignore = `.git
.github
${gitignore}`
