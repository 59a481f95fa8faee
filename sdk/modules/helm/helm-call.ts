// One call of the manager of a Helm release: the release, its cluster, and its record in the metadata of the Module.
import * as z from 'zod'
import type { Client } from '../../engine/client/client.js'
import { PermanentError } from '../../engine/kube/error.js'
import { formatKey, type Key } from '../../engine/kube/key.js'
import type { Resource } from '../../engine/kube/resource.js'
import { OwnedRelease } from '../../helm/operations/owned-release.js'
import type { KindsCluster, ServedKinds } from '../../helm/reconciler/objects/capabilities.js'
import type { ReleaseContext } from '../../helm/reconciler/run/release-run.js'
import type { Release } from '../../helm/release/release.js'
import type { ChartRenderer } from '../../helm/render/renderer.js'
import type { Owner } from '../../operator/owner/owner.js'
import { moduleLabel } from '../manager/client-cluster.js'
import type { OperationContext } from '../manager/manager.js'
import type { WorkloadName } from '../manager/scaling.js'
import type { MetaData } from '../metadata/metadata.js'
import { checkNotSsh } from './git-charts.js'
import type { HelmModulesOptions } from './helm-modules-options.js'
import type { HelmSpec } from './helm-spec.js'
import type { HomeClient, ModuleCharts } from './module-charts.js'
import type { ReleaseKey, SpecOwner } from './render-helm-spec.js'

/** A Module with a Helm release, and all that its manager needs. */
export interface HelmModule {
  /** The frozen spec, with templates that are not rendered. */
  readonly spec: Record<string, unknown>
  readonly values: SpecOwner['values']
  readonly owner: Owner
  /** The cluster that holds the Module. */
  readonly home: Client
  /** The cluster of the release. */
  readonly cluster: KindsCluster & { readonly name: string }
  readonly client: Client
  readonly ctx: Pick<ReleaseContext, 'clock' | 'events'>
  /** Called with the resource of each object of the release that has no owner. Default: nothing. */
  readonly onUnownedWrite?: (resource: Resource) => void
  /** Called with the workloads that are about to be put to sleep; nothing is written before it resolves. */
  readonly onSleep?: ((workloads: readonly WorkloadName[]) => Promise<void>) | undefined
  /**
   * Whether a StatefulSet whose policy deletes its volumes keeps them during a sleep. Default: it is refused.
   */
  readonly keepVolumes?: boolean | undefined
}

/** The parts that all Modules share. */
export interface HelmParts {
  readonly options: HelmModulesOptions
  readonly charts: ModuleCharts
  readonly kinds: ServedKinds
  /** The name of this process in the records that it writes. */
  readonly holder: string
  renderer(): Promise<ChartRenderer>
}

const releaseSchema = z.object({
  name: z.string(),
  namespace: z.string(),
  /** The chart that was installed. */
  chart: z.object({ name: z.string(), version: z.string(), digest: z.string().optional() }).optional(),
})
const releaseKey = 'release'
/** The name of the release in the metadata of Modules that another operator installed. */
const formerKey = 'releaseName'

/** The release that the metadata of a Module names. */
export const releaseOfMetaData = (metaData: Pick<MetaData, 'decode'>) =>
  metaData.decode(releaseKey, releaseSchema)

/** One call. */
export class HelmCall {
  readonly module: HelmModule
  readonly parts: HelmParts
  readonly metaData: MetaData
  readonly #ctx: OperationContext

  constructor(options: { module: HelmModule; parts: HelmParts; ctx: OperationContext; metaData: MetaData }) {
    this.module = options.module
    this.parts = options.parts
    this.metaData = options.metaData
    this.#ctx = options.ctx
  }

  /** Whether another program installed the release. */
  get isAdopted(): boolean {
    return isAdopted(this.module.spec)
  }

  get signal(): AbortSignal {
    return this.#ctx.signal
  }

  get home(): HomeClient {
    return { client: this.module.home, signal: this.signal }
  }

  /** The Module and its configuration, for templates. */
  get specOwner(): SpecOwner {
    return { ...this.module.owner.key, values: this.module.values }
  }

  /** The release that an installation has recorded. */
  get recorded(): ReleaseKey | undefined {
    return this.#record
  }

  /** The chart that was installed. */
  get chart(): z.output<typeof releaseSchema>['chart'] {
    return this.#record?.chart
  }

  get #record() {
    return releaseOfMetaData(this.metaData)
  }

  /** The name of the release that another operator installed. */
  get formerName(): string | undefined {
    return this.metaData.has(releaseKey) ? undefined : this.metaData.decodeToString(formerKey) || undefined
  }

  /** Records the release in the metadata. It is stored before anything is created. */
  record({ name, namespace }: ReleaseKey): void {
    const { chart } = this
    this.metaData.set(releaseKey, { name, namespace, ...(chart && { chart }) })
  }

  /** Records the installed chart in the metadata. `digest` is that of its archive, or its commit. */
  recordChart({ name, namespace }: ReleaseKey, { chart }: Pick<Release, 'chart'>, digest?: string): void {
    const { name: chartName, version } = chart.metadata
    const chartRecord = { name: String(chartName), version: String(version), ...(digest && { digest }) }
    this.metaData.set(releaseKey, { name, namespace, chart: chartRecord })
  }

  /**
   * A release of the Module. Users can change the metadata, so the namespace of the release is checked in each call.
   */
  release(release: ReleaseKey): OwnedRelease {
    const { client, cluster, owner, ctx } = this.module
    const { kinds, holder, options } = this.parts
    const { signal, deadlineMs, logger } = this.#ctx
    checkReleaseNamespace(release, this.module, options)
    return new OwnedRelease({
      ctx: { ...ctx, signal, logger, clock: ctx.clock, events: ctx.events, condition: () => {} },
      client,
      cluster,
      kinds,
      owner,
      release,
      holder,
      policy: policyOf(this.module, options),
      labels: { [moduleLabel]: owner.uid },
      wait: options.wait ?? 'ready',
      timeoutMs: deadlineMs,
    })
  }
}

/** The default policy: users bring the charts, so any object is allowed only in another cluster. */
function policyOf(
  { owner, cluster }: HelmModule,
  { policy }: HelmModulesOptions,
): HelmModulesOptions['policy'] {
  return policy ?? (cluster.name === owner.cluster ? {} : undefined)
}

/** Throws a `PermanentError` for a release in a namespace where the Module must not have one. */
export function checkReleaseNamespace(
  { name, namespace }: ReleaseKey,
  { owner, cluster }: { readonly owner: Owner; readonly cluster: { readonly name: string } },
  { releases = 'same-namespace' }: HelmModulesOptions,
): void {
  const module = `Module ${formatKey(owner.key)}`
  if (cluster.name === 'host' && owner.cluster !== 'host')
    throw new PermanentError(`${module}: a Module of a virtual cluster has no Helm release on the host`)
  if (cluster.name !== owner.cluster || releases === 'all-namespaces') return
  if (namespace === owner.key.namespace) return
  throw new PermanentError(
    `${module}: its release ${name} must be in the namespace ${owner.key.namespace}, got ${namespace}; ` +
      'set helm.releases to all-namespaces in the options of moduleControllers to allow others',
  )
}

/**
 * Throws a `PermanentError` for values from a ConfigMap, or credentials from a Secret, of another namespace: users who
 * may create Modules need not be allowed to read it.
 */
export function checkSources(
  { values, chart }: Pick<HelmSpec, 'values' | 'chart'>,
  { key }: Owner,
  { releases = 'same-namespace' }: HelmModulesOptions,
): void {
  if (chart?.git) checkNotSsh(chart.git.repo, formatKey(key))
  if (releases === 'all-namespaces') return
  const check = (what: string, referenced: Key | undefined) => {
    if (!referenced || referenced.namespace === key.namespace) return
    throw new PermanentError(
      `Module ${formatKey(key)}: its ${what} of the namespace ${key.namespace}, got ` +
        `${referenced.namespace}/${referenced.name}; set helm.releases to all-namespaces in the options of moduleControllers to allow others`,
    )
  }
  for (const { configMap } of values) check('values must be in ConfigMaps', configMap)
  check('credentials, chart.repo.auth, must be in a Secret', chart?.repo?.auth)
  const { httpsSecretRef } = chart?.git?.auth ?? {}
  check('credentials, chart.git.auth.httpsSecretRef, must be in a Secret', httpsSecretRef)
}

/** Whether a spec names a release that another program installed. */
export const isAdopted = (spec: Record<string, unknown>): boolean => spec.existingRelease !== undefined
