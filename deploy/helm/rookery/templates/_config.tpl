{{- /* The tenants in the form of Rookery's configuration: a file that all others import, because a ConfigMap has at most 1 MiB. */ -}}
{{- define "rookery.tenants" -}}
{{- $tenants := list -}}
{{- range .Values.tenants -}}
{{- $tenant := dict "id" (int .id) "server-name" .serverName "hosts" .hosts -}}
{{- if hasKey . "presence" }}{{ $_ := set $tenant "presence" .presence }}{{ end -}}
{{- if hasKey . "delayedEvents" }}{{ $_ := set $tenant "delayed-events" .delayedEvents }}{{ end -}}
{{- if hasKey . "roomVersion" }}{{ $_ := set $tenant "room-version" .roomVersion }}{{ end -}}
{{- $tenants = append $tenants $tenant -}}
{{- end -}}
{{- toYaml (dict "rookery" (dict "tenants" $tenants)) -}}
{{- end -}}

{{- /* The configuration of one service, as YAML that Spring Boot reads beside the jar: (dict "root" $ "part" "sync-service"). */ -}}
{{- define "rookery.config" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $name := include "rookery.fullname" $root -}}
{{- $uses := (index (include "rookery.arrows" $root | fromYaml) .part).uses -}}
{{- $names := dict "gateway" (printf "%s-gateway-pods:8080" $name) -}}
{{- range $service, $_ := $values.services -}}
{{- if ne $service "gateway" }}{{ $_ := set $names $service (printf "%s-%s:8080" $name $service) }}{{ end -}}
{{- end -}}
{{- $rookery := dict "instances" (dict "management-port" 9090 "names" $names) -}}
{{- if not (kindIs "invalid" $values.defaultTenant) }}{{ $_ := set $rookery "default-tenant" $values.defaultTenant }}{{ end -}}
{{- $spring := dict "config" (dict "import" "tenants.yml") "lifecycle" (dict "timeout-per-shutdown-phase" (printf "%ds" (int $values.drain.requestsSeconds))) -}}
{{- if has "postgresql" $uses -}}
{{- $url := printf "r2dbc:postgresql://%s:%s/%s" (include "rookery.postgresqlHost" $root) (include "rookery.postgresqlPort" $root) $values.postgresql.database -}}
{{- if not $values.builtin.enabled }}{{ $url = printf "%s?sslMode=%s" $url $values.postgresql.sslMode }}{{ end -}}
{{- $_ := set $spring "r2dbc" (dict "url" $url) -}}
{{- end -}}
{{- if has "kafka" $uses -}}
{{- $_ := set $spring "kafka" (dict "bootstrap-servers" (include "rookery.kafkaServers" $root) "properties" (include "rookery.kafkaClient" $root | fromYaml)) -}}
{{- end -}}
{{- if eq .part "auth-service" -}}
{{- $url := default (printf "https://%s" (first (default (dict "hosts" list) (first $values.tenants)).hosts)) $values.publicUrl -}}
{{- $_ := set $rookery "auth" (dict "public-base-url" $url "registration" (dict "mode" $values.registration)) -}}
{{- end -}}
{{- if eq .part "gateway" -}}
{{- $proxies := $values.trustedProxies -}}
{{- if and (kindIs "invalid" $proxies) (or $values.ingress.enabled $values.httpRoute.enabled) -}}
{{- $proxies = list "10.0.0.0/8" "172.16.0.0/12" "192.168.0.0/16" "100.64.0.0/10" "fc00::/7" -}}
{{- end -}}
{{- with $proxies }}{{ $_ := set $rookery "client-address" (dict "trusted-proxies" .) }}{{ end -}}
{{- end -}}
{{- if and $values.media.enabled (eq .part "room-service") -}}
{{- $place := dict "folder" "/media" -}}
{{- with $values.media.bucket -}}
{{- if .name -}}
{{- $place = dict "bucket" (dict "name" .name "endpoint" .endpoint "region" .region "prefix" .prefix "path-style" .pathStyle) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $rookery "room" (dict "media" $place) -}}
{{- end -}}
{{- if eq .part "admin-service" -}}
{{- $_ := set $rookery "admin" (dict "operator" (dict "port" 8090 "address" "0.0.0.0")) -}}
{{- end -}}
{{- $own := (index $values.services .part).config -}}
{{- toYaml (mergeOverwrite (dict "rookery" $rookery "spring" $spring) (deepCopy $values.config) (deepCopy $own)) -}}
{{- end -}}

{{- /* The configuration of the job that prepares PostgreSQL and Kafka. */ -}}
{{- define "rookery.prepareConfig" -}}
{{- $client := dict "[bootstrap.servers]" (include "rookery.kafkaServers" .) -}}
{{- range $key, $value := include "rookery.kafkaClient" . | fromYaml }}{{ $_ := set $client (printf "[%s]" $key) $value }}{{ end -}}
{{- $database := dict "host" (include "rookery.postgresqlHost" .) "port" (include "rookery.postgresqlPort" . | int) "name" .Values.postgresql.database -}}
{{- $_ := set $database "username" (ternary "postgres" .Values.postgresql.admin.username .Values.builtin.enabled) -}}
{{- $kafka := dict "client" $client "replicas" (ternary 1 .Values.kafka.replicas .Values.builtin.enabled) -}}
{{- $_ := set $kafka "rights" (or .Values.builtin.enabled .Values.kafka.rights) -}}
{{- $spring := dict "config" (dict "import" "tenants.yml") -}}
{{- toYaml (dict "rookery" (dict "prepare" (dict "database" $database "kafka" $kafka)) "spring" $spring) -}}
{{- end -}}

{{- /* All files of the ConfigMap. */ -}}
{{- define "rookery.configFiles" -}}
{{- range $service, $values := .Values.services }}
{{ $service }}.yml: |
  {{- include "rookery.config" (dict "root" $ "part" $service) | nindent 2 }}
{{ $service }}.options: {{ include "rookery.flags" (dict "root" $ "service" $values) | trim | quote }}
{{- end }}
tenants.yml: |
  {{- include "rookery.tenants" . | nindent 2 }}
prepare.yml: |
  {{- include "rookery.prepareConfig" . | nindent 2 }}
{{- end -}}

{{- /*
The secrets of one part as sources of a volume, in files named after the configuration keys. "own" is the Secret of the chart: jobs
before an installation or upgrade get a copy, because the permanent Secret does not exist yet.
*/ -}}
{{- define "rookery.secretSources" -}}
{{- $root := .root -}}
{{- $values := $root.Values -}}
{{- $own := .own -}}
{{- $mine := default $own $values.secrets.existingSecret -}}
{{- $kafka := ternary $own $values.kafka.existingSecret $values.builtin.enabled -}}
{{- $role := trimSuffix "-service" .part -}}
{{- if eq .part "prepare" }}
- secret:
    name: {{ $mine }}
    items:
      {{- range list "auth" "room" "sync" "directory" "push" "admin" }}
      - {key: database-{{ . }}, path: rookery.prepare.passwords.{{ . }}-service}
      {{- end }}
{{- $admin := $values.postgresql.admin }}
{{- $external := and $admin.existingSecret (not $values.builtin.enabled) }}
- secret:
    name: {{ ternary $admin.existingSecret $own (not (empty $external)) }}
    items:
      - {key: {{ ternary $admin.existingSecretKey "postgres-password" (not (empty $external)) }}, path: rookery.prepare.database.password}
{{- if include "rookery.kafkaLogin" $root }}
- secret:
    name: {{ $kafka }}
    items:
      - {key: kafka-jaas-admin, path: rookery.prepare.kafka.login}
{{- end }}
{{- else if eq .part "admin" }}
- secret:
    name: {{ $mine }}
    optional: true
    items:
      - {key: operator-token, path: operator-token}
{{- else }}
{{- $uses := (index (include "rookery.arrows" $root | fromYaml) .part).uses }}
- secret:
    name: {{ $mine }}
    items:
      - {key: keys-{{ .part }}, path: rookery.internal.keys}
      {{- if has "postgresql" $uses }}
      - {key: database-{{ $role }}, path: spring.r2dbc.password}
      {{- end }}
{{- if eq .part "admin-service" }}
# A Secret of an older version has no token; operators are refused then.
- secret:
    name: {{ $mine }}
    optional: true
    items:
      - {key: operator-token, path: rookery.admin.operator.token}
{{- end }}
{{- if and (has "kafka" $uses) (include "rookery.kafkaLogin" $root) }}
- secret:
    name: {{ $kafka }}
    items:
      - {key: kafka-jaas-{{ .part }}, path: spring.kafka.properties.sasl.jaas.config}
{{- end }}
{{- $bucket := $values.media.bucket }}
{{- if and (eq .part "room-service") $values.media.enabled $bucket.name $bucket.existingSecret }}
- secret:
    name: {{ $bucket.existingSecret }}
    items:
      - {key: access-key, path: rookery.room.media.bucket.access-key}
      - {key: secret-key, path: rookery.room.media.bucket.secret-key}
{{- end }}
{{- if has "redis" $uses }}
{{- $external := and $values.redis.existingSecret (not $values.builtin.enabled) }}
- secret:
    name: {{ ternary $values.redis.existingSecret $own (not (empty $external)) }}
    items:
      - {key: {{ ternary $values.redis.existingSecretKey "redis-url" (not (empty $external)) }}, path: rookery.redis.url}
{{- end }}
{{- end }}
{{- end -}}
