import type { PluginDesign } from '../kind/plugin-design.js'
import { launchFile } from './launch.js'

/** The parts of package.json that differ between kinds of programs. */
export interface PackageParts {
  name: string
  /** The versions of packages, by name. */
  packages: Readonly<Record<string, string>>
  /** Names of packages that the program imports. */
  dependencies: readonly string[]
  /** Scripts in addition to those of every program; default none. */
  scripts?: Readonly<Record<string, string>>
  /** Sources of programs of Modules, which `dev` builds; default none. */
  programs?: readonly string[]
}

/** The packages that the scripts of package.json run. */
const devPackages = ['@types/node', 'esbuild', 'tsx', 'typescript']
/** The packages of tools/package.json. */
const toolPackages = ['oxlint', 'oxlint-tsgolint', 'prettier']

/** Runs a program of tools/package.json, which is installed first. */
const withTool = (command: string) =>
  `npm install --prefix tools --no-audit --no-fund && npm exec --prefix tools -- ${command}`

/** The style of Prettier in which the sources are written. */
const prettierOptions = { printWidth: 120, semi: false, singleQuote: true }

/**
 * The packages that would run a script when they are installed. None is needed. npm 11 warns about each that is neither
 * allowed nor denied.
 */
const deniedScripts = { esbuild: false }

/** package.json: the SDK, and the few packages that the scripts need. */
export function programPackage({ name, packages, dependencies, scripts, programs }: PackageParts): string {
  const manifest = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines: { node: '^20.19.0 || ^22.12.0 || >=23' },
    'vcluster-plugin': { main: 'src/main.ts', ...(programs && { programs }) },
    scripts: {
      dev: 'vcluster-plugin dev .',
      test: 'vcluster-plugin test .',
      types: 'tsc -p .',
      lint: withTool('oxlint --type-aware --type-check src'),
      format: withTool('prettier --write src'),
      ...scripts,
      bundle: 'vcluster-plugin bundle',
      image: `docker build -t ${name}:dev .`,
    },
    dependencies: versionsOf(dependencies, packages),
    devDependencies: versionsOf(devPackages, packages),
    allowScripts: deniedScripts,
    prettier: prettierOptions,
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/**
 * tools/package.json: the linter and the formatter, a third of all packages of a project by size. `npm run lint`
 * installs them.
 */
function toolsPackage(packages: PackageParts['packages']): string {
  const manifest = { private: true, devDependencies: versionsOf(toolPackages, packages) }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

function versionsOf(names: readonly string[], packages: PackageParts['packages']): Record<string, string> {
  return Object.fromEntries([...names].sort().map((name) => [name, packages[name] ?? '*']))
}

/** package.json of a plugin. */
export function packageJson({ name, packages }: PluginDesign): string {
  return programPackage({
    name,
    packages,
    dependencies: ['vcluster-plugin-sdk'],
    scripts: {
      plugin: 'exec node --import=tsx src/main.ts',
      manifest: 'vcluster-plugin manifest .',
      rbac: 'vcluster-plugin rbac .',
      bench: 'vcluster-plugin bench .',
    },
  })
}

/** tsconfig.json: strict, and without a build, because tsx runs the sources. */
const tsconfig = `{
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
 * .oxlintrc.json: rejects promises without `await`, because a write whose promise is dropped is not retried. Node's
 * test runner awaits the promises of its tests.
 */
const lintRules = `{
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
const gitignore = `node_modules/
dist/
.vcluster-plugin/
.devspace/
*.log
`

/**
 * .dockerignore: a local node_modules may contain binaries for another system. An image needs no linter and no
 * formatter.
 */
const dockerignore = `.git
.github
tools/
${gitignore}`

/** The files that are the same in every project, by path. */
export const commonFiles = (packages: PackageParts['packages']): Record<string, string> => ({
  'tools/package.json': toolsPackage(packages),
  'tsconfig.json': tsconfig,
  '.oxlintrc.json': lintRules,
  '.gitignore': gitignore,
  '.dockerignore': dockerignore,
  '.vscode/launch.json': launchFile,
})
