/** The Dockerfile: one file and Node, without root; and a stage to develop in. */
export function dockerfile(name: string): string {
  return `# The plugin's image, as a sidecar of the vcluster:
#
#   docker build -t ${name}:dev .

# Debian's slim image has the C library that npm's ready-made binaries are built for.
ARG NODE_IMAGE=node:24-slim

# Every package. Only a change to these files makes this stage run again.
FROM \${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund

# The whole project with its packages, to work in: what devspace.yaml runs.
FROM packages AS dev
COPY . .
CMD ["sleep", "infinity"]

# The plugin and all it imports in one file.
FROM packages AS bundle
COPY . .
RUN node bundle.mjs /plugin/main.mjs

# Node and that file. Nothing is written to the file system, so it may be read-only.
FROM \${NODE_IMAGE} AS sidecar
ENV NODE_ENV=production
COPY --from=bundle /plugin /plugin
# In numbers, because \`runAsNonRoot\` cannot check a name; 1000 is the base image's user \`node\`.
USER 1000:1000
# Without a shell in between, so that Kubernetes' SIGTERM reaches the plugin and it can stop well.
ENTRYPOINT ["node", "/plugin/main.mjs"]
`
}
