/**
 * The vclusters of managed Workspaces: a namespace and a Helm release each. It promises that only a namespace that was
 * made for the Workspace is touched. It leaves the sleep of a vcluster to `workspace/`.
 */
import { randomUUID } from 'node:crypto'
import type { Cluster } from '../../engine/cluster/cluster.js'
import type { ReleaseView } from '../../engine/inspector/release-view.js'
import { canonicalJson } from '../../engine/kube/canonical-json.js'
import { sha256Hex } from '../../engine/kube/concat-name.js'
import { keyOf } from '../../engine/kube/key.js'
import type { Clock } from '../../engine/time/clock.js'
import { OwnedRelease } from '../../helm/operations/owned-release.js'
import { chartPermissions } from '../../helm/permissions/chart-permissions.js'
import { exampleCapabilities } from '../../helm/permissions/example-capabilities.js'
import { type KindsCluster, ServedKinds } from '../../helm/reconciler/objects/capabilities.js'
import { DriftFinder } from '../../helm/reconciler/objects/drift-finder.js'
import { IgnoredFields } from '../../helm/reconciler/objects/ignored-fields.js'
import { readReleaseView } from '../../helm/reconciler/release-view.js'
import { defaultRenderer } from '../../helm/render/default-renderer.js'
import type { Chart, ChartRenderer } from '../../helm/render/renderer.js'
import type { ControllerContext } from '../../operator/controller/context.js'
import type { ControllerPermission } from '../../operator/controller/controller-permission.js'
import type { ManagedCluster, Workspace } from '../kinds/workspace.js'
import { workspaces } from '../kinds/workspace-kind.js'
import { sleepDrift } from '../sleep/sleep-drift.js'
import type { ManagedWorkspacesOptions } from './managed-options.js'
import { ensureManagedNamespace, findNamespace, removeNamespace } from './namespace.js'
import { kubeconfigSecretOf, placeOf, workspaceLabel } from './place.js'
import { isOutdated, nameOfChart, oldestVcluster, VclusterChart, valuesOf } from './vcluster-chart.js'

/** The time limit of the hooks of the chart, and of a rendering that finds its permissions, in milliseconds. */
const limitMs = 60_000

/** A run of a managed Workspace. */
export interface ManagedRun {
  readonly ctx: ControllerContext<Workspace>
  readonly workspace: Workspace
  /** The cluster that holds the Workspace. */
  readonly cluster: KindsCluster & { readonly name: string }
}

/** The cluster that holds the Workspaces, as the inspector reads it. */
interface ViewedIn {
  readonly cluster: Cluster
  readonly clock: Clock
}

/** Installs and uninstalls the vclusters of managed Workspaces. */
export class ManagedVclusters {
  readonly options: ManagedWorkspacesOptions
  readonly #chart: VclusterChart
  readonly #holder = `${process.pid}-${randomUUID()}`
  readonly #kinds = new WeakMap<KindsCluster, ServedKinds>()
  #renderer: Promise<ChartRenderer> | undefined

  /** Throws a `PluginError` for options that are not valid. */
  constructor(options: ManagedWorkspacesOptions) {
    this.options = options
    this.#chart = new VclusterChart(options)
  }

  /**
   * Installs or upgrades the vcluster to its chart and values, unless it is up to date. Does not wait until it is
   * ready.
   */
  async install(run: ManagedRun): Promise<ManagedCluster> {
    const { ctx, workspace } = run
    const chart = await this.#chart.load(ctx.signal)
    const values = this.#valuesOf(workspace)
    const place = placeOf(workspace)
    const inputs = sha256Hex(canonicalJson([nameOfChart(chart), values])).slice(0, 16)
    const recordedState = workspace.status?.managed
    const namespaceUid = await ensureManagedNamespace(workspace, ctx)
    if (recordedState?.inputs === inputs && recordedState.namespaceUid === namespaceUid) return recordedState
    await this.#releaseOf(run).install({ chart, values, renderer: await this.#rendererOf(chart) })
    this.#report(ctx, chart)
    const { namespace, name } = place
    const secretReference = kubeconfigSecretOf(place)
    return { namespace, namespaceUid, release: name, chart: nameOfChart(chart), inputs, secretReference }
  }

  /** Uninstalls the release, then deletes the namespace. Returns whether nothing is left. */
  async uninstall(run: ManagedRun): Promise<boolean> {
    const existingNamespace = await findNamespace(run.workspace, run.ctx)
    if (!existingNamespace?.isOwn) return true
    if (!existingNamespace.live.metadata.deletionTimestamp) await this.#releaseOf(run).uninstall()
    return removeNamespace(run.workspace, run.ctx)
  }

  /**
   * Reads the release of the vcluster of a managed Workspace, for the inspector; undefined if it has none. Nothing is
   * written.
   */
  async view(workspace: Workspace, { cluster, clock }: ViewedIn): Promise<ReleaseView | undefined> {
    const { metadata, spec, status } = workspace
    if (spec.type !== 'managed') return undefined
    const { uid = '' } = metadata
    const isAsleep = spec.hibernated || status?.vcluster !== 'awake'
    const view = await readReleaseView({
      client: cluster.client,
      clock,
      kinds: this.#kindsOf(cluster, clock),
      drift: new DriftFinder(new IgnoredFields(isAsleep ? sleepDrift : []), clock),
      owner: { cluster: cluster.name, resource: workspaces, key: keyOf(workspace), uid },
      release: placeOf(workspace),
      target: { cluster: cluster.name, reference: undefined },
      labels: { [workspaceLabel]: uid },
    })
    return view.isOwn ? view : undefined
  }

  /** The permissions for the objects of the chart. */
  async permissions(): Promise<readonly ControllerPermission[]> {
    const signal = AbortSignal.timeout(limitMs)
    const chart = await this.#chart.load(signal)
    const place = { namespace: 'default', name: 'vcluster' }
    const release = { ...place, revision: 1, isInstall: true }
    const values = valuesOf(place, this.options)
    const request = { chart, values, release, capabilities: exampleCapabilities }
    const renderer = await this.#rendererOf(chart)
    return chartPermissions(await renderer.render(request, signal))
  }

  /** Whether the renderer writes temporary files. */
  async writesTemporaryFiles(): Promise<boolean> {
    const renderer = await this.#rendererOf(await this.#chart.load(AbortSignal.timeout(limitMs)))
    return renderer.writesTemporaryFiles === true
  }

  /** Ends the renderer. */
  async close(): Promise<void> {
    const renderer = await this.#renderer?.catch(() => undefined)
    this.#renderer = undefined
    if (!this.options.renderer) await renderer?.close()
  }

  #valuesOf(workspace: Workspace) {
    const { distro } = workspace.spec.managedCluster ?? {}
    return valuesOf(placeOf(workspace), { distro, values: this.options.values })
  }

  #report({ events }: ControllerContext<Workspace>, chart: Chart): void {
    events.normal('VclusterInstalled', `the chart ${nameOfChart(chart)} is installed`)
    if (isOutdated(chart))
      events.warning(
        'OutdatedVcluster',
        `the chart ${nameOfChart(chart)} is older than ${oldestVcluster}, the oldest one that is supported; use a newer one`,
      )
  }

  #releaseOf({ ctx, workspace, cluster }: ManagedRun): OwnedRelease {
    const { signal, logger, clock, events, client } = ctx
    const { uid = '' } = workspace.metadata
    return new OwnedRelease({
      ctx: { signal, logger, clock, events, condition: () => {} },
      client,
      cluster,
      kinds: this.#kindsOf(cluster, clock),
      holder: this.#holder,
      owner: { cluster: cluster.name, resource: workspaces, key: keyOf(workspace), uid },
      release: placeOf(workspace),
      labels: { [workspaceLabel]: uid },
      wait: 'none',
      timeoutMs: limitMs,
    })
  }

  #kindsOf(cluster: KindsCluster, clock: Clock): ServedKinds {
    const kinds = this.#kinds.get(cluster) ?? new ServedKinds(cluster, clock)
    this.#kinds.set(cluster, kinds)
    return kinds
  }

  #rendererOf(chart: Chart): Promise<ChartRenderer> {
    const { renderer } = this.options
    this.#renderer ??= renderer ? Promise.resolve(renderer) : defaultRenderer([chart])
    return this.#renderer
  }
}
