{{/* Names of variables that hold secrets, by app. An app gets no secret of another. */}}
{{- define "citewell.secrets" -}}
stores: [DATABASE_URL, REDIS_URL, QDRANT_API_KEY, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY]
cli: []
api:
  - CITEWELL_API_KEY
  - CITEWELL_ADMIN_KEY
  - CITEWELL_SECRET
  - OPENAI_API_KEY
  - AZURE_OPENAI_API_KEY
  - ANTHROPIC_API_KEY
  - GOOGLE_API_KEY
  - MISTRAL_API_KEY
  - OLLAMA_API_KEY
  - RERANK_API_KEY
  - HTTPS_PROXY
  - HTTP_PROXY
worker-crawler: [CITEWELL_SECRET, HTTPS_PROXY, HTTP_PROXY]
worker-parser: []
worker-indexer: [CITEWELL_SECRET, OPENAI_API_KEY, OLLAMA_API_KEY]
{{- end }}

{{- define "citewell.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{/* Labels of an object. Arguments: root, component. */}}
{{- define "citewell.labels" -}}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
app.kubernetes.io/part-of: citewell
{{ include "citewell.selector" . }}
{{- end }}

{{- define "citewell.selector" -}}
app.kubernetes.io/name: citewell
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* Arguments: root, app. */}}
{{- define "citewell.image" -}}
{{- with .root.Values.image -}}
{{- if .registry }}{{ .registry }}/{{ end }}{{ .repository }}/{{ $.app }}:{{ .tag | default $.root.Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- define "citewell.secretName" -}}
{{- if .Values.bundled.enabled -}}
{{ include "citewell.name" . }}-bundled
{{- else -}}
{{ required "existingSecret: name a Secret with DATABASE_URL and the other secrets, or set bundled.enabled for a trial" .Values.existingSecret }}
{{- end -}}
{{- end }}

{{/* The variables of an app: first the values, then the secrets. Arguments: root, app, env. */}}
{{- define "citewell.env" -}}
{{- $env := dict "SHUTDOWN_GRACE_MS" (mul .root.Values.shutdownGraceSeconds 1000 | toString) -}}
{{- if .root.Values.bundled.enabled -}}
{{- $name := include "citewell.name" .root -}}
{{- $_ := set $env "QDRANT_URL" (printf "http://%s-qdrant:6333" $name) -}}
{{- $_ := set $env "S3_ENDPOINT" (printf "http://%s-s3:8333" $name) -}}
{{- $_ := set $env "S3_BUCKET" "citewell" -}}
{{- end -}}
{{- $env = mergeOverwrite $env .root.Values.env .env -}}
{{- $secrets := include "citewell.secrets" .root | fromYaml -}}
{{- range $key, $value := $env }}
{{- /* Helm reads every number as a float, which it would write as 1.048576e+08. */}}
{{- if and (kindIs "float64" $value) (eq $value (floor $value)) }}{{ $value = int64 $value }}{{ end }}
- { name: {{ $key }}, value: {{ $value | toString | quote }} }
{{- end }}
{{- range concat $secrets.stores (index $secrets .app) }}
{{- if not (hasKey $env .) }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ include "citewell.secretName" $.root }}, key: {{ . }}, optional: {{ ne . "DATABASE_URL" }} } }
{{- end }}
{{- end }}
{{- end }}

{{/* The security context of every pod, and of every container. User 1000 is `node` of the images. */}}
{{- define "citewell.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: {{ . | default (dict "type" "RuntimeDefault") | toJson }}
{{- end }}

{{- define "citewell.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Pods of one app on different nodes and zones, where there are some. Arguments: root, component. */}}
{{- define "citewell.spread" -}}
{{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels: {{- include "citewell.selector" $ | nindent 6 }}
{{- end }}
{{- end }}

{{/* The pod of an app that runs until it is stopped. Arguments: root, component, app, settings, port, portVariable. */}}
{{- define "citewell.pod" -}}
metadata:
  labels: {{- include "citewell.labels" . | nindent 4 }}
  {{- with .settings.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  {{- with .root.Values.imagePullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext: {{- include "citewell.podSecurity" .settings.seccompProfile | nindent 4 }}
  # The pause before SIGTERM, the grace of the process, and the 10 s in which it closes its connections.
  terminationGracePeriodSeconds: {{ add .root.Values.shutdownGraceSeconds 20 }}
  topologySpreadConstraints: {{- include "citewell.spread" . | nindent 4 }}
  {{- with .settings.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .settings.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: {{ .component }}
      image: {{ include "citewell.image" . }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      env:
        - { name: {{ .portVariable }}, value: {{ .port | quote }} }
        {{- include "citewell.env" (dict "root" .root "app" .app "env" .settings.env) | nindent 8 }}
      ports: [{ name: http, containerPort: {{ .port }} }]
      # Time for the cluster to stop sending requests to this pod.
      lifecycle: { preStop: { sleep: { seconds: 5 } } }
      startupProbe: { httpGet: { path: /health/live, port: http }, periodSeconds: 2, failureThreshold: 60 }
      livenessProbe: { httpGet: { path: /health/live, port: http }, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 }
      readinessProbe: { httpGet: { path: /health/ready, port: http }, periodSeconds: 5, timeoutSeconds: 5, failureThreshold: 3 }
      resources: {{- toYaml .settings.resources | nindent 8 }}
      securityContext: {{- include "citewell.containerSecurity" . | nindent 8 }}
      volumeMounts: [{ name: tmp, mountPath: /tmp }]
  volumes: [{ name: tmp, emptyDir: {} }]
{{- end }}
