/**
 * A sentence about text that the YAML parser refuses. The first line of its error ends in a colon before the lines of
 * the file, which are left out.
 */
export function yamlProblem({ message }: Error): string {
  const [line = ''] = message.split('\n')
  return `it is not valid YAML: ${line.replace(/:$/, '')}`
}
