//go:build re2_cgo

package main

import (
	"regexp"

	"github.com/corazawaf/coraza/v3/experimental/plugins"
	"github.com/corazawaf/coraza/v3/experimental/plugins/plugintypes"
	"github.com/wasilibs/go-re2"
	"github.com/wasilibs/go-re2/experimental"
)

// Fields that a rule can capture: the whole match and nine groups.
const capturesMax = 10

// Patterns with bytes that are not UTF-8 match bytes; the others match characters, as in Coraza.
var beyondASCII = regexp.MustCompile(`\\x[89a-fA-F][0-9a-fA-F]`)

// rx is the operator @rx with RE2 in place of Go's regular expressions.
type rx struct {
	pattern *re2.Regexp
}

func init() {
	plugins.RegisterOperator("rx", newRx)
}

func newRx(options plugintypes.OperatorOptions) (plugintypes.Operator, error) {
	compile := re2.Compile
	if beyondASCII.MatchString(options.Arguments) {
		compile = experimental.CompileLatin1
	}
	pattern, err := compile("(?sm)" + options.Arguments)
	if err != nil {
		return nil, err
	}
	return &rx{pattern}, nil
}

func (operator *rx) Evaluate(transaction plugintypes.TransactionState, value string) bool {
	if !transaction.Capturing() {
		return operator.pattern.MatchString(value)
	}
	groups := operator.pattern.FindStringSubmatch(value)
	for index, group := range groups[:min(len(groups), capturesMax)] {
		transaction.CaptureField(index, group)
	}
	return len(groups) > 0
}
