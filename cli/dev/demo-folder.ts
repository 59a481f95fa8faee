import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = `// Copies every ConfigMap of the virtual cluster to the host. dev starts it again when it is saved.
import { configMaps, mirrorDown, plugin } from 'vcluster-plugin-sdk'

const ctx = await plugin.init()
plugin.register(mirrorDown(ctx, configMaps))
await plugin.start()
`

const samples = `apiVersion: v1
kind: ConfigMap
metadata: { namespace: default, name: greeting }
data: { text: hello }
---
apiVersion: v1
kind: ConfigMap
metadata: { namespace: default, name: settings, labels: { app: web } }
data: { colour: green, size: '3' }
`

const manifest = { name: 'demo', type: 'module', 'vcluster-plugin': { main: 'main.js' } }

/** A folder with a program, which is removed by {@link DemoFolder.remove}. */
export interface DemoFolder {
  readonly path: string
  remove(): Promise<void>
}

/** Makes a temporary folder with a plugin that copies ConfigMaps, its samples, and a link to this SDK. */
export async function makeDemoFolder(): Promise<DemoFolder> {
  const path = await mkdtemp(join(tmpdir(), 'vcluster-plugin-demo-'))
  const packages = join(path, 'node_modules')
  await mkdir(packages)
  const sdk = dirname(fileURLToPath(import.meta.resolve('vcluster-plugin-sdk/package.json')))
  // A junction needs no rights on Windows.
  await symlink(sdk, join(packages, 'vcluster-plugin-sdk'), 'junction')
  await writeFile(join(path, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
  await writeFile(join(path, 'main.js'), main)
  await writeFile(join(path, 'samples.yaml'), samples)
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
