import type { ObjectTexts } from '../compare/state-differences.js'

/**
 * Texts of objects that an uninstallation of a Helm release leaves behind: objects of hooks, and objects to be kept.
 */
const leftBehind = ['"vcluster-plugin-sdk/hook":"true"', '"helm.sh/resource-policy":"keep"']

/**
 * The objects without those that releases of Helm charts leave behind on purpose, definitions included, if they are
 * absent in `other`: a program that starts after the last step never made them.
 */
export function withoutLeftovers(texts: ObjectTexts, other: ObjectTexts): ObjectTexts {
  const isLeftover = (name: string, text: string) =>
    / customresourcedefinitions /.test(name) || leftBehind.some((name) => text.includes(name))
  return new Map([...texts].filter(([name, text]) => other.has(name) || !isLeftover(name, text)))
}
