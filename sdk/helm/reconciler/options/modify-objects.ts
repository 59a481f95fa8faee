import type { KubeObject } from '../../../engine/kube/object.js'
import { manifestOf } from '../../render/print-manifest.js'
import { RenderError } from '../../render/render-error.js'
import type { RenderedChart } from '../../render/renderer.js'
import { withLastOfEnv } from './repeated-env.js'
import type { ValuesContext } from './values-context.js'

/** Changes the objects of a rendered chart. It returns all of them, in the same order. */
export type ObjectsModifier = (
  objects: readonly KubeObject[],
  context: ValuesContext,
) => readonly KubeObject[] | Promise<readonly KubeObject[]>

/** Options that change a rendered chart. */
export interface ModifyOptions {
  readonly modifyObjects?: ObjectsModifier
  readonly repeatedEnv?: 'refuse' | 'last'
}

/** The change of rendered charts that options ask for; undefined for none. */
export function modifierOf(
  { modifyObjects: modifier, repeatedEnv = 'refuse' }: ModifyOptions,
  context: ValuesContext,
): ((rendered: RenderedChart) => Promise<RenderedChart>) | undefined {
  if (repeatedEnv === 'refuse') return modifier && ((rendered) => modifyObjects(rendered, modifier, context))
  return async (rendered) =>
    withLastOfEnv(modifier ? await modifyObjects(rendered, modifier, context) : rendered)
}

/** A rendered chart with other objects. Rejects with `RenderError` if they are not the same ones. */
export async function modifyObjects(
  rendered: RenderedChart,
  modifier: ObjectsModifier,
  context: ValuesContext,
): Promise<RenderedChart> {
  const before = rendered.objects.map(({ object }) => object)
  const names = before.map(nameOf).join(', ')
  const after = await modifier(structuredClone(before), context)
  if (after.map(nameOf).join(', ') !== names)
    throw new RenderError(
      'RenderError',
      `modifyObjects answers ${after.map(nameOf).join(', ')} for ${names}: change other fields than kinds, names and namespaces`,
    )
  const objects = rendered.objects.map(({ source }, index) => ({
    source,
    object: after[index] as KubeObject,
  }))
  return { ...rendered, objects, manifest: await manifestOf(objects) }
}

const nameOf = ({ apiVersion, kind, metadata: { namespace = '', name } }: KubeObject) =>
  `${kind} (${apiVersion}) ${namespace && `${namespace}/`}${name}`
