/**
 * Texts that stand for values of a chart in the objects that it is made from. Each is a valid name, because programs
 * check their namespace.
 */
export const tokens = {
  namespace: 'zz-release-namespace-zz',
  image: 'zz-image-zz',
  vclusterName: 'zz-vcluster-name-zz',
  replicas: 'zz-replicas-zz',
  memoryMiB: 'zz-memory-zz',
  heapMiB: 'zz-heap-zz',
  priorityClass: 'zz-priority-class-zz',
  env: 'zz-env-zz',
  envFrom: 'zz-env-from-zz',
  imagePullSecrets: 'zz-image-pull-secrets-zz',
  nodeSelector: 'zz-node-selector-zz',
  tolerations: 'zz-tolerations-zz',
} as const

/**
 * The template expressions of the tokens that may be a part of a text. The heap is three quarters of the limit, see
 * `heapOption`.
 */
const inText = {
  [tokens.namespace]: '.Release.Namespace',
  [tokens.vclusterName]: '.Values.vclusterName',
  [tokens.memoryMiB]: '.Values.memoryMiB',
  [tokens.heapMiB]: 'div (mul .Values.memoryMiB 3) 4',
}

/** The objects' YAML as a template of Helm. Braces in the objects stay what they are. */
export function templateOf(yaml: string): string {
  let text = yaml.replaceAll('{{', '{{ "{{" }}')
  // The whole value of a member is quoted, because a name may look like a number.
  for (const [token, value] of [...Object.entries(inText), [tokens.image, '.Values.image'] as const])
    text = text.replaceAll(new RegExp(`: ${token}$`, 'gm'), `: {{ ${value} | quote }}`)
  for (const [token, value] of Object.entries(inText)) text = text.replaceAll(token, `{{ ${value} }}`)
  text = text.replaceAll(`: ${tokens.replicas}\n`, ': {{ .Values.replicas }}\n')
  text = text.replaceAll(
    new RegExp(`^( *)(.*): ${tokens.priorityClass}\n`, 'gm'),
    '$1{{- with .Values.priorityClassName }}\n$1$2: {{ . | quote }}\n$1{{- end }}\n',
  )
  return withPodValues(text)
}

/** Lists and maps of values; a variable is added to those of the program. */
function withPodValues(yaml: string): string {
  let text = yaml.replaceAll(
    new RegExp(`^( *)- ${tokens.env}\n`, 'gm'),
    (_, indent: string) =>
      `${indent}{{- with .Values.env }}\n${indent}{{- toYaml . | nindent ${indent.length} }}\n${indent}{{- end }}\n`,
  )
  for (const name of ['envFrom', 'imagePullSecrets', 'nodeSelector', 'tolerations'] as const)
    text = text.replaceAll(
      new RegExp(`^( *)${name}:\\n *- ${tokens[name]}\\n`, 'gm'),
      (_, indent: string) =>
        `${indent}{{- with .Values.${name} }}\n${indent}${name}:\n${indent}  {{- toYaml . | nindent ${indent.length + 2} }}\n${indent}{{- end }}\n`,
    )
  return text
}
