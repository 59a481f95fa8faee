/** The line for src/plugin.ts with the parameter that src/archive.ts reads. */
export const claimParameter =
  "claim: z.string().min(1).default('wal-archive').describe('The PersistentVolumeClaim with the WAL.'),"

/** src/archive.ts: a WAL archiver with its sidecar. The README shows it, because not every plugin archives. */
export const archiveFile = (
  name: string,
) => `import { copyFile, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type CnpgPlugin, HookError, jobs, type WithPodSpec } from 'vcluster-plugin-sdk/cnpg'
import type { Parameters } from './plugin.js'

/** Archives the WAL of a Cluster in a folder of a volume, and restores it from there. */
export function registerArchive(plugin: CnpgPlugin<Parameters>, mountPath = '/archive'): void {
  const image = process.env.PLUGIN_IMAGE ?? '${name}:dev' // \`npm run manifest\` sets it to the image of the plugin.
  const volumeMounts = [{ name: 'archive', mountPath }]
  plugin.sidecar({ name: 'wal-archive', image, volumeMounts }, { jobs: true, sharesPostgres: true })
  plugin.pods({ instance: (ctx, pod) => addVolume(pod, ctx.parameters.claim) })
  plugin.objects(jobs, {
    create: (ctx, { spec }) => void (spec && addVolume(spec.template, ctx.parameters.claim)),
  })
  plugin.wal({
    archive: ({ cluster }, { file }) => store(file, join(mountPath, cluster.metadata.name ?? '')),
    restore: ({ cluster }, { name, destination }) =>
      fetchFile(join(mountPath, cluster.metadata.name ?? '', basename(name)), destination),
  })
}

/** Stores a file. It is there under its name only if it is complete and on the disk, and is never replaced. */
async function store(file: string, folder: string): Promise<void> {
  const target = join(folder, basename(file))
  await mkdir(folder, { recursive: true })
  const stored = await readFile(target).catch(unlessMissing)
  if (stored?.equals(await readFile(file))) return
  if (stored)
    throw new HookError(
      \`\${target} has another content: does another Cluster archive into the folder? Use another claim, or move the old files\`,
    )
  await copyFile(file, \`\${target}.new\`)
  await flush(\`\${target}.new\`)
  await rename(\`\${target}.new\`, target)
  await flush(folder)
}

/** Postgres asks for more files than there are. */
async function fetchFile(path: string, destination: string): Promise<void> {
  await rm(destination, { force: true })
  await copyFile(path, destination).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new HookError(\`the archive has no file \${basename(path)}\`, { code: 'NOT_FOUND' })
  })
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

async function flush(path: string): Promise<void> {
  const opened = await open(path, 'r')
  await opened.sync().finally(() => opened.close())
}

function addVolume({ spec }: WithPodSpec, claimName: string): void {
  if (!spec) return
  const others = (spec.volumes ?? []).filter(({ name }) => name !== 'archive')
  spec.volumes = [...others, { name: 'archive', persistentVolumeClaim: { claimName } }]
}
`
