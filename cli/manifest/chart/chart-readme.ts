import type { ChartValue } from './chart-values.js'

/** The parts of a chart that its README describes. */
export interface DescribedChart {
  name: string
  version: string
  description: string
  values: readonly ChartValue[]
}

/** The README of a chart, which Artifact Hub shows as its page: how to install it, and its values. */
export function chartReadme({ name, version, description, values }: DescribedChart): string {
  return `# ${name}

${description}, version ${version}.

\`\`\`sh
helm upgrade --install ${name} . --namespace NAMESPACE --create-namespace
\`\`\`

## Values

| name | default | meaning |
|---|---|---|
${values.map(row).join('\n')}

\`values.schema.json\` has their types: Helm rejects other values.
`
}

const row = ({ name, fallback, schema }: ChartValue) =>
  `| \`${name}\` | \`${JSON.stringify(fallback)}\` | ${schema.description} |`
