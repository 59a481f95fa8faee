import unset from 'lodash/unset.js'
import { canonicalJson } from '../../../engine/kube/canonical-json.js'
import { sha256Hex } from '../../../engine/kube/concat-name.js'
import { PermanentError, PluginError } from '../../../engine/kube/error.js'
import { cloneJson } from '../../../engine/kube/json.js'
import type { KubeObject } from '../../../engine/kube/object.js'
import { objectsOf } from '../../render/manifest.js'
import type { RenderedChart } from '../../render/renderer.js'
import { IrreconcilableError } from '../problem/problem.js'
import type { ReleaseRun } from '../run/release-run.js'
import type { RenderingNow } from './wanted-release.js'

/** An object of a record that is refused unless the chart makes it. */
export interface RefusedObject {
  readonly object: KubeObject
  /** The name of the object, and why it is refused. */
  readonly reason: string
}

/**
 * Rejects with {@link IrreconcilableError} `NotAllowed` if the chart does not make one of these recorded objects now.
 * The names of objects are not enough: a record may have other rules for a ClusterRole of the chart.
 */
export async function checkRenderedNow(
  run: ReleaseRun,
  refused: readonly RefusedObject[],
  now: RenderingNow,
): Promise<void> {
  const { contents, problem } = await readNow(run, now)
  const others = refused.filter(({ object }) => !contents.has(contentOf(object)))
  if (others.length === 0) return
  const reasons = others.map(({ reason }) => reason).join('; ')
  throw new IrreconcilableError(
    'NotAllowed',
    `the record of the release ${run.release.name} is not carried out: ${reasons}, and its chart ${problem}; ` +
      'correct the record, or permit the object by the option allow',
  )
}

type Contents = ReadonlySet<string>

/** The contents of the objects and hooks of the rendering; none with the problem if the chart cannot be rendered. */
async function readNow(
  { ctx }: ReleaseRun,
  now: RenderingNow,
): Promise<{ contents: Contents; problem: string }> {
  try {
    return { contents: await contentsOf(await now()), problem: 'does not make this object now' }
  } catch (error) {
    // Others, such as a server that does not answer, are tried again.
    if (ctx.signal.aborted || !isLasting(error)) throw error
    return { contents: new Set(), problem: `cannot be rendered now: ${error.message}` }
  }
}

/** The contents of each rendering, because each hook of a release is compared by itself. */
const contentsByChart = new WeakMap<RenderedChart, Promise<Contents>>()

function contentsOf(chart: RenderedChart): Promise<Contents> {
  const known = contentsByChart.get(chart)
  if (known) return known
  const contents = readContents(chart)
  contentsByChart.set(chart, contents)
  return contents
}

async function readContents({ objects, hooks }: RenderedChart): Promise<Contents> {
  const ofHooks = await Promise.all(hooks.map(({ manifest }) => objectsOf(manifest)))
  return new Set([...objects, ...ofHooks.flat()].map(({ object }) => contentOf(object)))
}

const isLasting = (error: unknown): error is Error =>
  error instanceof PermanentError || error instanceof PluginError

/** Labels with the version of a chart, in which two versions of a chart differ everywhere. */
const versionLabels = ['helm.sh/chart', 'app.kubernetes.io/version', 'chart']
const labelPaths = versionLabels.flatMap((label) => [
  ['metadata', 'labels', label],
  ['spec', 'template', 'metadata', 'labels', label],
])

/** Identifies the object without these labels. */
function contentOf(object: KubeObject): string {
  const copy = cloneJson(object)
  for (const path of labelPaths) unset(copy, path)
  return sha256Hex(canonicalJson(copy))
}
