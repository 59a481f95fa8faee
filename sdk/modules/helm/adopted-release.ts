/**
 * The Helm release of another program that a Module adopts. Its records and its objects stay as they are, apart from
 * the sleep of its workloads.
 */

import { PermanentError } from '../../engine/kube/error.js'
import { latestOf } from '../../helm/release/history.js'
import type { StoredRelease } from '../../helm/release/stored-release.js'
import { yamlOf } from '../../helm/render/code/yaml-of.js'
import type { HelmCall } from './helm-call.js'
import { secretOutputs, writeOutputs } from './outputs.js'
import { resumeRelease } from './release-sleep.js'
import { renderHelmSpec } from './render-helm-spec.js'

/** The key of the values in the Secret with the outputs. */
const valuesKey = 'values.yaml'

/** Finds the release, and writes its values to the Secret with the outputs of the Module. */
export async function adoptRelease(call: HelmCall): Promise<void> {
  const { module, home, signal, metaData } = call
  const { spec, release } = renderHelmSpec(module.spec, call.specOwner, () => {
    throw new PermanentError(
      'spec.helm: an adopted release cannot have random texts; remove the functions that draw them from the spec',
    )
  })
  const latest = latestOf(await call.release(release).revisions())
  const name = `the release ${release.name} in ${release.namespace}`
  checkAdoptable(latest, name)
  call.recordChart(release, latest.release)
  await metaData.save()
  const outputs = await secretOutputs(spec.outputs, { client: module.client, signal, release })
  const values = Buffer.from(await yamlOf(latest.release.config)).toString('base64')
  await writeOutputs({ ...outputs, [valuesKey]: values }, { ...home, owner: module.owner })
  module.ctx.events.normal('Adopted', `${name} stays as it is; its revision is ${latest.release.version}`)
}

/** Wakes the workloads of the release, and keeps the release. */
export async function detachRelease(call: HelmCall): Promise<void> {
  if (call.recorded) await resumeRelease(call)
}

function checkAdoptable(latest: StoredRelease | undefined, name: string): asserts latest is StoredRelease {
  if (!latest) throw new Error(`${name} does not exist; install it, or correct its name in the Module`)
  const { owner, release } = latest
  if (owner !== undefined)
    throw new PermanentError(
      `${name} belongs to the object with the UID ${owner}; adopt a release that helm installed`,
    )
  const { status } = release.info
  if (status !== 'deployed')
    throw new Error(`${name} is ${status}, and only a deployed one can be adopted; repair it with helm`)
}
