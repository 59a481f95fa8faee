/**
 * A release that is installed and uninstalled by calls, without a controller of a kind. Its records are its only state,
 * as they are for a reconciler: a call continues what an earlier one began.
 */
import type { Client } from '../../engine/client/client.js'
import { sleep } from '../../engine/time/clock.js'
import type { JsonObject } from '../chart/json-object.js'
import type { ReleasePolicy } from '../policy/release-policy.js'
import { checkAllowed } from '../reconciler/goal/check-allowed.js'
import type { OperationProgress } from '../reconciler/goal/due-operation.js'
import { type Goal, type Rendering, rendered } from '../reconciler/goal/goal.js'
import { isInstallAt } from '../reconciler/goal/next-revision.js'
import { planDeployment } from '../reconciler/goal/plan-deployment.js'
import { isInStep, type WantedRelease } from '../reconciler/goal/wanted-release.js'
import type { KindsCluster, ServedKinds } from '../reconciler/objects/capabilities.js'
import { DriftFinder } from '../reconciler/objects/drift-finder.js'
import { LiveObjects } from '../reconciler/objects/live-objects.js'
import { mapLimited } from '../reconciler/objects/map-limited.js'
import { hasReadiness, isReadyForWait } from '../reconciler/objects/readiness.js'
import { idOf, type ReleaseObject, type ReleaseOwner } from '../reconciler/objects/release-object.js'
import { deploy } from '../reconciler/operation/deploy.js'
import { uninstall } from '../reconciler/operation/uninstall.js'
import { askServed } from '../reconciler/problem/api-unavailable.js'
import { placedIfServed } from '../reconciler/run/placed-if-served.js'
import { ReleaseSeed } from '../reconciler/run/random-seed.js'
import { redactedContext } from '../reconciler/run/redacted-context.js'
import { notedLookup, releaseLookup } from '../reconciler/run/release-lookup.js'
import {
  type ReleaseContext,
  type ReleaseRun,
  type ReleaseRunOptions,
  recordOwner,
} from '../reconciler/run/release-run.js'
import { wasDeployed } from '../reconciler/run/revision-status.js'
import { SecretTexts } from '../reconciler/run/secret-texts.js'
import { checkHolder, foreignOperationMs } from '../reconciler/status/foreign-operation.js'
import { asIrreconcilable } from '../reconciler/status/report.js'
import { latestOf } from '../release/history.js'
import { ReleaseStore } from '../release/release-store.js'
import type { StoredRelease } from '../release/stored-release.js'
import type { Chart, ChartRenderer, Lookup } from '../render/renderer.js'

/** The time between two checks of something that a call waits for, in milliseconds. */
const recheckMs = 1_000

/** Options of {@link OwnedRelease}. */
export interface OwnedReleaseOptions extends Omit<ReleaseOwner, 'target'> {
  readonly ctx: ReleaseContext
  /** Sends the calls. */
  readonly client: Client
  /** The cluster of the client. */
  readonly cluster: KindsCluster & { readonly name: string }
  readonly kinds: ServedKinds
  /** The objects that the release may contain. Default: any. */
  readonly policy?: ReleasePolicy | undefined
  /** The state of the objects for which an installation waits. */
  readonly wait: NonNullable<ReleaseRunOptions['wait']>
  /** The limit of each hook and of waiting, in milliseconds. */
  readonly timeoutMs: number
  /** The name of this process in the records that it writes. */
  readonly holder: string
}

/** A chart to install, with its values and renderer. */
export interface Installation {
  readonly chart: Chart
  readonly values: JsonObject
  readonly renderer: ChartRenderer
}

/** A release that belongs to one object. */
export class OwnedRelease {
  /** Reads the objects of the release. */
  readonly live: LiveObjects
  readonly #run: ReleaseRun

  constructor(options: OwnedReleaseOptions) {
    this.#run = runOf(options)
    this.live = this.#run.live
  }

  /** All revisions, oldest first. */
  revisions(): Promise<StoredRelease[]> {
    const { store, release, ctx } = this.#run
    return store.revisions(release.namespace, release.name, ctx.signal)
  }

  /**
   * Installs or upgrades the release to the rendered chart, and returns the deployed revision. Rejects with a
   * `PermanentError` if another program has a release of the name.
   */
  async install(installation: Installation): Promise<StoredRelease> {
    const releaseFor = this.#goalOf(installation)
    try {
      for (;;) {
        const { revision } = await this.#step(installation.chart, releaseFor)
        if (revision) return revision
        await this.#pause()
      }
    } catch (error) {
      throw asIrreconcilable(this.#run.secretTexts.redactError(error))
    }
  }

  /** Deletes the release and its objects, if it belongs to the owner. */
  async uninstall(): Promise<void> {
    try {
      while ((await uninstall(this.#run, await this.revisions())).waitsFor !== undefined) await this.#pause()
    } catch (error) {
      throw this.#run.secretTexts.redactError(error)
    }
  }

  /** Makes a release of another program belong to the owner. */
  async takeOver(): Promise<void> {
    const { store, ctx } = this.#run
    for (const revision of await this.revisions())
      if (revision.owner === undefined)
        await store.update({ ...revision, ...recordOwner(this.#run) }, ctx.signal)
  }

  /** The objects of the revisions since the last one that was deployed, each one once. */
  async objects(): Promise<ReleaseObject[]> {
    const revisions = await this.revisions()
    const from = revisions.findLast(wasDeployed)?.release.version ?? 0
    const objectsById = new Map<string, ReleaseObject>()
    for (const { release } of revisions.filter((one) => one.release.version >= from))
      for (const object of await placedIfServed(this.#run, release)) objectsById.set(idOf(object), object)
    return [...objectsById.values()]
  }

  /** The objects that are not ready now, or absent. Objects of kinds without readiness are not read. */
  async unreadyObjects(): Promise<ReleaseObject[]> {
    const { live } = this
    const checked = (await this.objects()).filter(hasReadiness)
    const liveObjects = await mapLimited(checked, (object) => live.read(object))
    return checked.filter(({ resource: { kind } }, index) => {
      const liveObject = liveObjects[index]
      return !liveObject || !isReadyForWait({ ...liveObject, kind }, 'ready')
    })
  }

  /** Whether there is a release, and it belongs to the owner. */
  async isOwn(): Promise<boolean> {
    const latest = latestOf(await this.revisions())
    return latest !== undefined && latest.owner === this.#run.owner.uid
  }

  async #step(chart: Chart, releaseFor: Goal['releaseFor']): Promise<OperationProgress> {
    const revisions = await this.revisions()
    const latest = latestOf(revisions)
    checkHolder(this.#run, latest, chart)
    this.#checkQuiet(latest)
    if (latest?.release.info.status === 'deployed') {
      const { version } = latest.release
      const wanted = await releaseFor(version, isInstallAt(revisions, version))
      if (await isInStep(latest.release, wanted)) return { revision: latest }
    }
    return deploy(this.#run, await planDeployment(revisions, { releaseFor }))
  }

  #checkQuiet(latest: StoredRelease | undefined): void {
    const { release } = this.#run
    if (foreignOperationMs(this.#run, latest) > 0)
      throw new Error(
        `another program works on the release ${release.name} in ${release.namespace}; it is left alone until that has ended`,
      )
  }

  /** Keeps a rendering while the installation waits, so that the next call need not render again. */
  #goalOf({ chart, values, renderer }: Installation): Goal['releaseFor'] {
    const renderings = new Map<string, Promise<WantedRelease>>()
    return (revision, isInstall) => {
      const name = `${revision} ${isInstall}`
      const wanted = renderings.get(name) ?? this.#render(renderer, { chart, values, revision, isInstall })
      renderings.set(name, wanted)
      return wanted
    }
  }

  async #render(renderer: ChartRenderer, rendering: Omit<Rendering, 'recorded'>): Promise<WantedRelease> {
    const recorded = () => this.revisions()
    const wanted = await rendered(this.#run, renderer, { ...rendering, recorded })
    await checkAllowed(this.#run, wanted)
    return wanted
  }

  #pause(): Promise<void> {
    const { clock, signal } = this.#run.ctx
    return sleep(clock, recheckMs, signal)
  }
}

function runOf(options: OwnedReleaseOptions): ReleaseRun {
  const { ctx, client, cluster, kinds, owner, release, labels, policy, wait, timeoutMs, holder } = options
  const { signal } = ctx
  const nowMs = () => ctx.clock.date().getTime()
  const secretTexts = new SecretTexts(release.name, release.namespace, owner.key.name, owner.key.namespace)
  return {
    ctx: redactedContext(ctx, secretTexts),
    secretTexts,
    annotations: {},
    kinds,
    drift: new DriftFinder(undefined, ctx.clock),
    holder,
    owner,
    release,
    ...(labels && { labels }),
    options: { adopt: 'never', doubtfulValues: 'ignore', wait, timeoutMs, ...(policy && { allow: policy }) },
    target: { cluster: cluster.name, client, signal },
    store: new ReleaseStore(client, nowMs),
    seed: new ReleaseSeed(client, { release, owner }, nowMs),
    live: new LiveObjects(client, signal),
    lookup: lookupOf(options, secretTexts),
  }
}

/** Answers `lookup` within the policy. The values of the Secrets that templates see are noted. */
function lookupOf(
  { ctx, client, cluster, release, policy }: OwnedReleaseOptions,
  secretTexts: SecretTexts,
): Lookup {
  const lookup = releaseLookup({
    cluster: { client, served: (apiVersion) => askServed(cluster, apiVersion) },
    release,
    policy,
    onRefused: (reason) => ctx.events.warning('LookupRefused', reason),
  })
  return notedLookup(lookup, secretTexts)
}
