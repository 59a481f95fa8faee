import { ciFiles } from '../ci-files.js'
import { commonFiles, programPackage } from '../package-files.js'
import { programDockerfile } from '../program-image.js'
import { hooksFile, mainFile, pluginFile } from './hooks.js'
import { readmeFile } from './readme.js'
import { sampleFiles } from './samples.js'
import { testFile } from './test.js'

/** The input of the templates of a plugin for CloudNativePG. */
export interface CnpgDesign {
  name: string
  /** The versions of packages, by name; the SDK's may be a path. */
  packages: Readonly<Record<string, string>>
}

/** The files of a new plugin for CloudNativePG, by path. */
export function cnpgFiles({ name, packages }: CnpgDesign): Record<string, string> {
  const plugin = pluginNameFor(name)
  return {
    'package.json': programPackage({
      name,
      packages,
      dependencies: ['vcluster-plugin-sdk', 'zod'],
      scripts: { manifest: 'vcluster-plugin manifest .', doctor: 'vcluster-plugin doctor .' },
    }),
    ...commonFiles(packages),
    'README.md': readmeFile(name, plugin),
    ...ciFiles([
      ['check that the plugin admits the sample Clusters, and that no hook fails', 'npm run dev -- --once'],
    ]),
    Dockerfile: programDockerfile('plugin', packages),
    ...sampleFiles(plugin),
    'src/plugin.ts': pluginFile(plugin),
    'src/hooks.ts': hooksFile,
    'src/hooks.test.ts': testFile,
    'src/main.ts': mainFile,
  }
}

/** The name by which Clusters name the plugin, a DNS name of at most 63 characters. */
const pluginNameFor = (name: string) => `${name}.example.com`
