import { customResourceDefinitions } from '../../kube/builtin.js'
import type { ReleaseRun } from './release-run.js'
import type { WantedRelease } from './wanted-release.js'

/** Creates the definitions in `crds/`. Returns whether they are served. */
export async function installDefinitions(run: ReleaseRun, { rendered }: WantedRelease): Promise<boolean> {
  const { crds = 'install' } = run.options
  if (crds === 'skip') return true
  let areServed = true
  for (const { object } of rendered.crds) {
    const definition = {
      resource: customResourceDefinitions,
      key: { namespace: '', name: object.metadata.name ?? '' },
      object,
    }
    // One that somebody creates in between is left alone, too.
    const [live] = crds === 'upgrade' ? [await run.live.read(definition)] : await run.live.look([definition])
    const now = !live || crds === 'upgrade' ? await run.live.apply(definition) : live
    areServed &&= isEstablished(now)
  }
  return areServed
}

function isEstablished(definition: object): boolean {
  // It is null in a definition that was created a moment ago.
  const { conditions } =
    (definition as { status?: { conditions?: { type: string; status: string }[] | null } }).status ?? {}
  return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True')
}
