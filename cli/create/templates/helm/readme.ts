import type { HelmApi } from '../../chart/chart-content.js'
import { definitionPath } from './api-files.js'

/** README.md of an operator with charts: the files, and the commands in the order of their use. */
export const readmeFile = (name: string, api: HelmApi) => `# ${name}

A Kubernetes operator: it keeps a release of the Helm chart \`${api.chart}\` for each \`${api.kind}\`. The spec of the object are the
values of the chart.

\`\`\`sh
npm install
npm run dev        # runs the operator on an embedded cluster with samples.yaml; needs no cluster
npm test           # installs the sample, and kills the operator at every write
npm run types      # checks the types
npm run lint       # checks the types, and finds promises without await; installs its linter first
npm run format     # formats the sources
\`\`\`

| file | content |
|---|---|
| \`watches.yaml\` | the kinds, their charts and options: start here |
| \`charts/${api.chart}\` | the chart |
| \`${definitionPath(api)}\` | the definition of \`${api.kind}\`; write a schema for its spec |
| \`src/register.ts\`, \`src/main.ts\` | registers the kinds; starts the operator |
| \`src/${api.kind.toLowerCase()}.test.ts\` | the tests |
| \`samples.yaml\` | the objects that \`npm run dev\` applies |
| \`Dockerfile\` | the image; \`npm run bundle\` makes its content |
| \`tools/package.json\` | the linter and the formatter |
| \`.vscode/launch.json\` | starts \`dev\` and the tests under the debugger of VS Code |
| \`.vcluster-plugin-template.json\` | the templates of this project; \`npx vcluster-plugin upgrade\` says what changed in them since |

Users who can write a \`${api.kind}\` decide the values of the chart. The option \`allow\` of \`helmController\` bounds what a release
may contain.

Another kind with a chart: \`npx vcluster-plugin create . --kind helm --chart CHART --api GROUP/VERSION/KIND\`. A kind with a controller in
code: \`npx vcluster-plugin create . --kind operator --api GROUP/VERSION/KIND\`.

## On a cluster

\`\`\`sh
npm run image
npm run --silent manifest | kubectl apply --server-side -f -
kubectl apply -f samples.yaml
helm list
\`\`\`

The cluster's nodes need the image. Either push it to a registry and pass its name: \`npm run --silent manifest -- --image
registry.example.com/${name}:v1\`. Or load it into the cluster (\`kind load docker-image ${name}:dev\`).

\`npm run --silent rbac\` prints the roles. They allow what the chart makes with its default values; set \`permissionValues\` of
\`helmController\` if other values make other kinds of objects.
`
