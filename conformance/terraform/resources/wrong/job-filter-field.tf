# says: "pointer":"/filter"
# says: not valid at /where/key: http_requests has no field "Status"; its fields are in the reference of datasets

variable "zone_id" {}

variable "files" {}

resource "cloudflare_logpush_job" "this" {
  zone_id          = var.zone_id
  dataset          = "http_requests"
  destination_conf = "file://${var.files}/logs"
  filter           = jsonencode({ where = { key = "Status", operator = "eq", value = 403 } })
}
