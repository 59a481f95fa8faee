import type { PluginDesign } from '../plugin-design.js'

/** package.json: the SDK, and the few packages that the scripts need. */
export function packageJson({ name, kind, packages }: PluginDesign): string {
  const isGenerated = kind.source.from === 'kubernetes'
  const tools = [
    '@types/node',
    'esbuild',
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
    engines: { node: '>=20.19.0' },
    'vcluster-plugin': { main: 'src/main.ts' },
    scripts: {
      dev: 'vcluster-plugin dev .',
      test: 'vcluster-plugin test .',
      types: 'tsc -p .',
      plugin: 'exec node --import=tsx src/main.ts',
      bundle: 'node bundle.mjs',
    },
    dependencies: versions(['vcluster-plugin-sdk']),
    devDependencies: versions(tools),
  }
  return `${JSON.stringify(manifest, undefined, 2)}\n`
}

/** tsconfig.json: as strict as TypeScript is, without a build; tsx runs the sources. */
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

/** .gitignore, and what no build of the image needs either. */
export const gitignore = `node_modules/
dist/
.vcluster-plugin/
.devspace/
*.log
`

/** .dockerignore: a local node_modules may hold another system's binaries. */
export const dockerignore = `.git
.github
${gitignore}`

/** bundle.mjs: the plugin and all it imports in one file, for the image. */
export const bundleScript = `// Bundles the plugin and everything it imports into one file that needs nothing but Node: dist/main.mjs, or the file
// that is named.
import { build } from 'esbuild'

// Packages in CommonJS call \`require\` and read \`__dirname\`, which a module does not have.
const banner = [
  "import { createRequire as bundleRequire } from 'node:module'",
  "import { fileURLToPath as bundlePath } from 'node:url'",
  'const require = bundleRequire(import.meta.url)',
  "const __filename = bundlePath(import.meta.url), __dirname = bundlePath(new URL('.', import.meta.url))",
].join(';')

await build({
  entryPoints: ['src/main.ts'],
  outfile: process.argv[2] ?? 'dist/main.mjs',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  banner: { js: banner },
  // Licences that ask to travel along stand beside the bundle.
  legalComments: 'external',
  logLevel: 'info',
})
`
