import { join } from 'node:path'
import { type CnpgPlugin, jobs, type WithPodSpec } from 'vcluster-plugin-sdk/cnpg'
import * as z from 'zod'
import { WalArchive } from './archive.js'

/** The parameters of the plugin in a Cluster. */
export const parameters = z.object({
  claim: z
    .string()
    .min(1)
    .describe('The PersistentVolumeClaim with the archive. All instances mount it: ReadWriteMany.'),
  folder: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/)
    .optional()
    .describe('The folder in it; default the name of the Cluster.'),
})

/** Options of {@link register}. */
export interface ArchiveOptions {
  /** The image of this program. */
  image: string
  /** The folder of the claim in the sidecar; default `/archive`. */
  mountPath?: string
}

/** Archives the WAL of a Cluster on a volume, and restores it from there. */
export function register(
  plugin: CnpgPlugin<z.infer<typeof parameters>>,
  { image, mountPath = '/archive' }: ArchiveOptions,
): void {
  // It gets the volumes of Postgres as well, because the plugin has hooks for WAL.
  plugin.sidecar(
    { name: 'wal-archive', image, volumeMounts: [{ name: 'archive', mountPath }] },
    { jobs: true },
  )
  plugin.pods({ instance: (ctx, pod) => addClaim(pod, ctx.parameters.claim) })
  plugin.objects(jobs, {
    create: (ctx, job) => void (job.spec && addClaim(job.spec.template, ctx.parameters.claim)),
  })
  plugin.wal({
    archive: ({ cluster, parameters }, { file }) =>
      new WalArchive(join(mountPath, parameters.folder ?? cluster.metadata.name ?? '')).store(file),
    restore: ({ cluster, parameters }, { name, destination }) =>
      new WalArchive(join(mountPath, parameters.folder ?? cluster.metadata.name ?? '')).fetch(
        name,
        destination,
      ),
  })
}

function addClaim(pod: WithPodSpec, claimName: string): void {
  if (!pod.spec) return
  const others = (pod.spec.volumes ?? []).filter(({ name }) => name !== 'archive')
  pod.spec.volumes = [...others, { name: 'archive', persistentVolumeClaim: { claimName } }]
}
