import type { FileContent, HelmApi } from '../../chart/chart-content.js'
import { ciFiles } from '../ci-files.js'
import { commonFiles, programPackage } from '../package-files.js'
import { programDockerfile } from '../program-image.js'
import { apiFiles, sampleFile, watchEntry } from './api-files.js'
import { readmeFile } from './readme.js'

/** The input of the templates of an operator with charts. */
export interface HelmDesign {
  name: string
  api: HelmApi
  /** The versions of packages, by name; the SDK's may be a path. */
  packages: Readonly<Record<string, string>>
}

/** The files of a new operator with a chart, by path. */
export function helmFiles({ name, api, packages }: HelmDesign): Record<string, FileContent> {
  return {
    'package.json': programPackage({
      name,
      packages,
      dependencies: ['vcluster-plugin-sdk'],
      scripts: { rbac: 'vcluster-plugin rbac .', manifest: 'vcluster-plugin manifest .' },
    }),
    ...commonFiles(packages),
    'README.md': readmeFile(name, api),
    ...ciFiles([['check that the operator installs its samples', 'npm run dev -- --once']]),
    Dockerfile: programDockerfile('operator', packages, ['watches.yaml', 'charts', 'crds']),
    'watches.yaml': `# The kinds whose objects get a release of a chart each.\n${watchEntry(api)}`,
    'samples.yaml': sampleFile(api),
    ...apiFiles(api),
    'src/register.ts': registerFile,
    'src/main.ts': mainFile(name),
  }
}

/** src/register.ts: a reconciler for each entry of watches.yaml. */
const registerFile = `import { type HelmControllerOptions, helmController, loadWatches } from 'vcluster-plugin-sdk/helm'
import type { Operator } from 'vcluster-plugin-sdk/operator'

/**
 * Registers the kinds of watches.yaml, whose objects get a release of a chart each. \`main.ts\` calls it, and tests
 * call it with a test operator. Register controllers in code here as well.
 */
export async function register(
  operator: Operator,
  options: Pick<HelmControllerOptions, 'renderer'> = {},
): Promise<void> {
  for (const entry of await loadWatches(new URL('../watches.yaml', import.meta.url)))
    operator.register(helmController({ ...entry, ...options }))
}
`

/** src/main.ts: the program. */
const mainFile = (name: string) => `import { createOperator } from 'vcluster-plugin-sdk/operator'
import { register } from './register.js'

const operator = createOperator({ name: '${name}' })
await register(operator)
await operator.start()
`
