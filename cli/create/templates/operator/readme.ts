/**
 * README.md of an operator: the files, and the commands in the order of their use. `withApiNames` replaces the name of
 * the template's kind in a text by that of the project.
 */
export const readmeFile = (name: string, withApiNames: (text: string) => string) => `# ${name}

A Kubernetes operator: it makes a Deployment for each ${withApiNames('`Website`')}, and says in the status whether it is available.

\`\`\`sh
npm install
npm run dev        # runs the operator on an embedded cluster with samples.yaml; needs no cluster
npm test           # tests the sample, and kills the operator at every write
npm run types      # checks the types
npm run lint       # checks the types, and finds promises without await; installs its linter first
npm run format     # formats the sources
\`\`\`

| file | content |
|---|---|
| \`src/kinds.ts\` | the kind: start here |
| ${withApiNames('`src/website-controller.ts`')} | the controller |
| ${withApiNames('`src/website-controller.test.ts`')} | its tests |
| \`src/register.ts\`, \`src/main.ts\` | registers the controller; starts the operator |
| \`samples.yaml\` | the objects that \`npm run dev\` applies |
| \`Dockerfile\` | the image; \`npm run bundle\` makes its content |
| \`tools/package.json\` | the linter and the formatter |
| \`.vscode/launch.json\` | starts \`dev\` and the tests under the debugger of VS Code |
| \`.vcluster-plugin-template.json\` | the templates of this project; \`npx vcluster-plugin upgrade\` says what changed in them since |

Another kind: \`npx vcluster-plugin create . --kind operator --api GROUP/VERSION/KIND\`; with a Helm chart: \`--kind helm --chart CHART\`.

## On a cluster

\`\`\`sh
npm run image
npm run --silent manifest | kubectl apply --server-side -f -
kubectl apply -f samples.yaml
\`\`\`

The cluster's nodes need the image. Either push it to a registry and pass its name: \`npm run --silent manifest -- --image
registry.example.com/${name}:v1\`. Or load it into the cluster (\`kind load docker-image ${name}:dev\`).

\`npm run --silent crd\` prints the definitions, \`npm run --silent rbac\` the roles. \`npx vcluster-plugin manifest . --kustomize
config\` writes the same objects for kustomize, and \`--uninstall\` prints the commands that remove them.
`
