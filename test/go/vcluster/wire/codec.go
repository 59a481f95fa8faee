// Package wire has the messages of vcluster's two plugin protocols as numbered strings and booleans, which is all that
// they are made of, so that no generated code is needed.
package wire

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// Message is a message by its field numbers. Nested messages are Messages in Children.
type Message struct {
	Texts    map[protowire.Number]string
	Flags    map[protowire.Number]bool
	Children map[protowire.Number][]*Message
}

// New makes an empty message.
func New() *Message {
	return &Message{
		Texts:    map[protowire.Number]string{},
		Flags:    map[protowire.Number]bool{},
		Children: map[protowire.Number][]*Message{},
	}
}

// Texts makes a message whose fields 1, 2, ... are strings.
func Texts(texts ...string) *Message {
	message := New()
	for i, text := range texts {
		message.Texts[protowire.Number(i+1)] = text
	}
	return message
}

// Codec reads and writes Messages.
type Codec struct{}

func (Codec) Name() string { return "proto" }

func (Codec) Marshal(v any) ([]byte, error) {
	message, ok := v.(*Message)
	if !ok {
		return nil, fmt.Errorf("cannot write a %T", v)
	}
	var bytes []byte
	for number, text := range message.Texts {
		if text != "" {
			bytes = protowire.AppendTag(bytes, number, protowire.BytesType)
			bytes = protowire.AppendString(bytes, text)
		}
	}
	for number, flag := range message.Flags {
		bytes = protowire.AppendTag(bytes, number, protowire.VarintType)
		bytes = protowire.AppendVarint(bytes, protowire.EncodeBool(flag))
	}
	return bytes, nil
}

func (Codec) Unmarshal(data []byte, v any) error {
	message, ok := v.(*Message)
	if !ok {
		return fmt.Errorf("cannot read into a %T", v)
	}
	*message = *New()
	for len(data) > 0 {
		number, kind, length := protowire.ConsumeTag(data)
		if length < 0 {
			return protowire.ParseError(length)
		}
		data = data[length:]
		switch kind {
		case protowire.BytesType:
			text, length := protowire.ConsumeString(data)
			if length < 0 {
				return protowire.ParseError(length)
			}
			message.take(number, text)
			data = data[length:]
		case protowire.VarintType:
			value, length := protowire.ConsumeVarint(data)
			if length < 0 {
				return protowire.ParseError(length)
			}
			message.Flags[number] = protowire.DecodeBool(value)
			data = data[length:]
		default:
			return fmt.Errorf("field %d has the unexpected type %d", number, kind)
		}
	}
	return nil
}

// Whether bytes are a string or a message cannot be told from the wire; field 3 of a ClientHook and field 4 of
// a registration repeat.
func (m *Message) take(number protowire.Number, text string) {
	m.Texts[number] = text
	child := New()
	if number >= 3 && (Codec{}).Unmarshal([]byte(text), child) == nil {
		m.Children[number] = append(m.Children[number], child)
	}
}
