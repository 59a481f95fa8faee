// Installs and uninstalls the Helm release of a Module.
import * as z from 'zod'
import { canonicalJson } from '../../engine/kube/canonical-json.js'
import { PermanentError } from '../../engine/kube/error.js'
import type { FileChart } from '../../helm/chart/chart.js'
import type { OwnedRelease } from '../../helm/operations/owned-release.js'
import { isKept } from '../../helm/reconciler/objects/release-object.js'
import { mayRefer } from '../../operator/owner/owner.js'
import { RandomTexts } from '../template/random-texts.js'
import {
  claimsOf,
  claimsSchema,
  createNamespace,
  deleteClaims,
  deleteNamespace,
  type ReleaseCalls,
} from './cleanup.js'
import { findOrTakeOverRelease, type ModuleRelease } from './find-or-take-over-release.js'
import { checkSources, type HelmCall } from './helm-call.js'
import { type ChartSource, readCleanup } from './helm-spec.js'
import { plainOutputs, secretOutputs, writeOutputs } from './outputs.js'
import { type RenderedSpec, renderHelmSpec } from './render-helm-spec.js'

const chosenSchema = z.object({
  version: z.string(),
  url: z.string(),
  digest: z.string().optional(),
  registry: z.object({ url: z.string(), chart: z.string() }).optional(),
  /** The part of the spec that led to this choice, as JSON: a repository, or the revision of one in git. */
  repo: z.string(),
})
const keys = { chart: 'chart', claims: 'claims', outputs: 'installOutputs' } as const

/** Installs the release of a Module, or continues an installation. */
export async function installRelease(call: HelmCall): Promise<void> {
  const texts = new RandomTexts(call.metaData)
  await deploy(call, renderHelmSpec(call.module.spec, call.specOwner, texts.draw), texts)
}

/** Upgrades the release to another configuration, other values or another chart. Its name and its namespace stay. */
export async function upgradeRelease(call: HelmCall): Promise<void> {
  const release = await findOrTakeOverRelease(call)
  if (!release)
    throw new PermanentError(
      'the metadata of the Module names no release to upgrade; restore its metadata, or create the Module again',
    )
  const { name, namespace } = release.key
  const texts = new RandomTexts(call.metaData)
  const { releaseName = name } = call.module.spec
  const wanted = renderHelmSpec({ ...call.module.spec, releaseName }, call.specOwner, texts.draw)
  if (wanted.release.name !== name || wanted.release.namespace !== namespace)
    throw new PermanentError(
      `the release ${name} in ${namespace} cannot become ${wanted.release.name} in ${wanted.release.namespace}; set both back, or create another Module`,
    )
  await deploy(call, wanted, texts)
}

async function deploy(call: HelmCall, { spec, release }: RenderedSpec, texts: RandomTexts): Promise<void> {
  const { metaData, parts, module, home, signal } = call
  const owned = call.release(release)
  checkSources(spec, module.owner, parts.options)
  call.record(release)
  await texts.save()
  const { chart, digest } = await loadChart(call, spec.chart ?? {})
  const values = await parts.charts.values(spec.values, home)
  await metaData.save() // From here on there is something to uninstall.
  await createNamespace(release.namespace, callsOf(call))
  const revision = await owned.install({ chart, values, renderer: await parts.renderer() })
  call.recordChart(release, revision.release, digest)
  const plain = plainOutputs(spec.outputs)
  if (Object.keys(plain).length > 0) metaData.set(keys.outputs, plain)
  const secret = await secretOutputs(spec.outputs, { client: module.client, signal, release })
  await writeOutputs(secret, { ...home, owner: module.owner })
  await recordKinds(call, owned)
}

/** Uninstalls the release of a Module, and deletes what `cleanup` names. */
export async function uninstallRelease(call: HelmCall): Promise<void> {
  const release = await findOrTakeOverRelease(call)
  if (!release) return
  const { removePVCs, removeNamespace } = readCleanup(call.module.spec, call.specOwner.values)
  const calls = callsOf(call)
  if (await release.owned.isOwn()) await recordKinds(call, release.owned)
  if (removePVCs) await recordClaims(call, release)
  await release.owned.uninstall()
  if (removePVCs) await deleteClaims(recordedClaims(call, release), calls)
  if (removeNamespace) await deleteNamespace(release.key.namespace, calls)
}

/** Records the kinds of the objects without an owner, because the Helm record of the release is gone afterwards. */
async function recordKinds({ module }: HelmCall, owned: OwnedRelease): Promise<void> {
  const { owner, cluster, onUnownedWrite } = module
  for (const { resource, object, key } of await owned.objects()) {
    const isOwned = !isKept(object) && mayRefer(owner, { cluster: cluster.name, namespace: key.namespace })
    if (!isOwned) onUnownedWrite?.(resource)
  }
}

interface LoadedChart {
  readonly chart: FileChart
  readonly digest: string | undefined
}

/**
 * A retry, and an upgrade of the values, takes the chart that was chosen before. One of a repository that cannot be
 * loaded any more is chosen again; a commit of git is not, because a branch leads to another one then: the spec must
 * say so.
 */
async function loadChart(call: HelmCall, source: ChartSource): Promise<LoadedChart> {
  const { metaData, parts, home } = call
  const { charts } = parts
  const repo = choiceOf(source)
  const before = metaData.decode(keys.chart, chosenSchema)
  const isKnown = before?.repo === repo
  const chosen = isKnown ? before : await charts.choose(source, home)
  try {
    const chart = await charts.load(source, chosen, home)
    if (chosen) metaData.set(keys.chart, { ...chosen, repo })
    return { chart, digest: chosen?.digest }
  } catch (error) {
    if (isKnown && !source.git) metaData.delete(keys.chart)
    throw error
  }
}

/**
 * The part of a source that a choice depends on. Another folder or other credentials do not change the chosen commit.
 */
function choiceOf({ repo, git }: ChartSource): string {
  return canonicalJson(git ? { git: git.repo, revision: git.revision } : (repo ?? {}))
}

/** Records the volume claims in the metadata, because they are found by the StatefulSets, which are deleted first. */
async function recordClaims(call: HelmCall, release: ModuleRelease): Promise<void> {
  if (!(await release.owned.isOwn())) return
  const now = await claimsOf(await release.owned.objects(), callsOf(call))
  const noted = recordedClaims(call, release).filter(({ uid }) => !now.some((one) => one.uid === uid))
  call.metaData.set(keys.claims, [...noted, ...now])
  await call.metaData.save()
}

/**
 * Reads the recorded claims. Users can change the metadata, so claims outside the namespace of the release are dropped.
 */
function recordedClaims({ metaData }: HelmCall, { key }: ModuleRelease) {
  const claims = metaData.decode(keys.claims, claimsSchema) ?? []
  return claims.filter(({ namespace }) => namespace === key.namespace)
}

function callsOf({ module, signal }: HelmCall): ReleaseCalls {
  return { client: module.client, signal, uid: module.owner.uid }
}
