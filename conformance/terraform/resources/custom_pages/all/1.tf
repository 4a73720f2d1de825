variable "zone_id" {}
variable "page_url" {}

resource "cloudflare_custom_pages" "this" {
  zone_id    = var.zone_id
  identifier = "waf_block"
  state      = "customized"
  url        = var.page_url
}
