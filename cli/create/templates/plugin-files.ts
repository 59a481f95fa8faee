import type { PluginDescription } from '../../../sdk/vcluster/plugin/description.js'
import { helmValues } from '../../helm/helm-values.js'
import type { PluginDesign } from '../kind/plugin-design.js'
import { ciFiles } from './ci-files.js'
import { devspaceFile } from './devspace.js'
import { dockerfile } from './image.js'
import { kindFiles } from './kind.js'
import { commonFiles, packageJson } from './package-files.js'
import { mainFile, registerFile } from './program.js'
import { readmeFile } from './readme.js'
import { sampleFiles } from './samples.js'
import { syncerFile } from './syncer.js'
import { testFile } from './test.js'

/** The files of a new plugin, by path. */
export function pluginFiles(design: PluginDesign): Record<string, string> {
  const { name, kind, vcluster } = design
  const { file } = kind.names
  return {
    'package.json': packageJson(design),
    ...commonFiles(design.packages),
    'README.md': readmeFile(design),
    ...ciFiles([['check that the plugin copies its samples', 'npm run dev -- --once']]),
    'plugin.yaml': helmValues(descriptionOf(design), {
      mode: 'sidecar',
      image: `${name}:dev`,
      file: 'plugin.yaml',
      ...vcluster,
    }),
    Dockerfile: dockerfile(design),
    'devspace.yaml': devspaceFile(design),
    ...sampleFiles(design),
    ...sourceFiles(design),
    [`src/${file}-syncer.test.ts`]: testFile(design),
  }
}

/** The plugin's source files without the test, by path. */
export function sourceFiles(design: PluginDesign): Record<string, string> {
  return {
    'src/main.ts': mainFile(design),
    'src/register.ts': registerFile(design),
    ...kindFiles(design),
    [`src/${design.kind.names.file}-syncer.ts`]: syncerFile(design),
  }
}

/** The description that the new plugin will give of itself. */
function descriptionOf({ name, kind, direction }: PluginDesign): PluginDescription {
  const { resource, names } = kind
  const syncer = { name: names.syncer, resource }
  const isUp = direction === 'up'
  return {
    kind: 'PluginDescription',
    name,
    syncers: isUp ? [] : [syncer],
    ...(isUp && { upSyncers: [syncer] }),
    hostReads: [resource],
    virtualReads: [resource],
  }
}
