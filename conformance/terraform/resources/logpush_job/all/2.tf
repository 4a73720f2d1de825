variable "zone_id" {}
variable "files" {}

resource "cloudflare_logpush_job" "this" {
  zone_id                     = var.zone_id
  dataset                     = "http_requests"
  destination_conf            = "file://${var.files}/lifecycle/{DATE}"
  enabled                     = false
  name                        = "requests"
  max_upload_interval_seconds = 30
  filter                      = jsonencode({ where = { key = "EdgeResponseStatus", operator = "eq", value = 403 } })
  output_options = {
    field_names = ["RayID"]
    output_type = "csv"
  }
}
