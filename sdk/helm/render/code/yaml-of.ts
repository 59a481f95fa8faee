import { loadYaml } from '../../../engine/kube/load-yaml.js'

/**
 * An object as YAML that Go's parser, which follows YAML 1.1, reads as the same JSON: all text is quoted, so that `yes`
 * and `1_0` stay text. Lines that begin with `---` cannot occur, because line breaks in text are escaped.
 */
export async function yamlOf(object: object): Promise<string> {
  const { stringify } = await loadYaml()
  return stringify(object, {
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'QUOTE_DOUBLE',
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    lineWidth: 0,
    aliasDuplicateObjects: false,
  }).trimEnd()
}
